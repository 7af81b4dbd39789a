// Runs the checks of both official clients, or of those named, and prints the total: node run.mjs FOLDER [modern] [classic]

import { classic } from './classic.mjs';
import { modern } from './modern.mjs';
import { total } from './report.mjs';

const suites = { modern, classic };
const names = process.argv.slice(3);
for (const name of names.length ? names : Object.keys(suites)) {
  if (!suites[name]) {
    console.error(`there are no checks ${name}; there are: ${Object.keys(suites).join(', ')}`);
    process.exit(2);
  }
  await suites[name]();
}
process.exit(total());
