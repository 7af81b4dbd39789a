// What happens when the demo server asks the client something: the modern client fulfils what a result asks for and calls
// again, the classic one answers requests of the server. The same checks hold for both, over stdio and over HTTP.
//
// adapter: as in surface.mjs, with a client that declares what it can be asked, and
//   user(params)   answers elicitation/create; set by each check
//   model(params)  answers sampling/createMessage
//   folders()      answers roots/list

import { holds, rejection, same } from './report.mjs';

const name = '世界 😀';

/** Everything that a client of these scripts can be asked. */
export const askable = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

const accept = (content) => ({ action: 'accept', content });
const textOf = (result) => result.content[0].text;

export async function asking(report, adapter) {
  await rounds(report, adapter);
  await refusals(report, adapter);
  await models(report, adapter);
}

async function rounds(report, adapter) {
  const { call } = adapter;
  await report.check('greet_user asks for a name', async () => {
    let asked;
    adapter.user = (params) => ((asked = params), accept({ name }));
    same(textOf(await call({ name: 'greet_user', arguments: {} })), `Hello, ${name}!`, 'text');
    same(asked.message, 'Who should be greeted?', 'message');
    same(asked.requestedSchema.properties.name.type, 'string', 'type of the field');
  });
  await report.check('plan_trip asks twice at once, and once more', async () => {
    const asked = [];
    adapter.user = ({ message }) => {
      asked.push(message);
      if (message.startsWith('Where')) return accept({ city: 'Kyoto' });
      return message.startsWith('How many') ? accept({ people: 3 }) : accept({ sure: true });
    };
    same(textOf(await call({ name: 'plan_trip', arguments: {} })), 'Booked Kyoto for 3, at 1500€.', 'text');
    same(asked.sort(), ['Book Kyoto for 3, at 1500€?', 'How many of you?', 'Where do you want to go?'], 'questions');
  });
  await report.check('eight calls that ask at once get their own answers', async () => {
    let n = 0;
    adapter.user = () => accept({ name: `${n++} 世界` });
    const results = await Promise.all(Array.from({ length: 8 }, () => call({ name: 'greet_user', arguments: {} })));
    same(results.map(textOf).sort(), Array.from({ length: 8 }, (_, i) => `Hello, ${i} 世界!`), 'texts');
  });
}

async function refusals(report, adapter) {
  const { call } = adapter;
  for (const action of ['decline', 'cancel']) {
    await report.check(`greet_user does without an answer: ${action}`, async () => {
      adapter.user = () => ({ action });
      same(textOf(await call({ name: 'greet_user', arguments: {} })), 'Hello, stranger!', 'text');
    });
  }
  await report.check('delete_note deletes what the user agrees to, and nothing else', async () => {
    const deleteNote = () => call({ name: 'delete_note', arguments: { name } });
    adapter.user = () => accept({ sure: true });
    same(textOf(await deleteNote()), `Deleted ${name}.`, 'yes');
    adapter.user = () => accept({ sure: false });
    same(textOf(await deleteNote()), 'Nothing was deleted.', 'no');
    adapter.user = () => ({ action: 'decline' });
    const result = await deleteNote();
    holds(result.isError && textOf(result).includes('declined'), `declined: ${JSON.stringify(result)}`);
  });
}

async function models(report, adapter) {
  const { call } = adapter;
  await report.check('summarize asks the model', async () => {
    let asked;
    adapter.model = (params) => {
      asked = params;
      return { role: 'assistant', content: { type: 'text', text: `Short: ${name}` }, model: 'interop-1' };
    };
    same(textOf(await call({ name: 'summarize', arguments: { text: name } })), `Short: ${name}`, 'text');
    same(asked.messages[0].content.text, `Summarize in one sentence: ${name}`, 'prompt');
    same(asked.maxTokens, 200, 'maxTokens');
  });
  await report.check('list_roots asks for the folders', async () => {
    adapter.folders = () => ({ roots: [{ uri: 'file:///home/%E4%B8%96', name }, { uri: 'file:///b' }] });
    same(textOf(await call({ name: 'list_roots', arguments: {} })), 'file:///home/%E4%B8%96\nfile:///b', 'text');
  });
}

/** What a client hears that declares nothing. code is that of the error, or undefined where it is told in band. */
export async function withoutUser(report, { call }, code) {
  for (const [tool, capability] of [['greet_user', 'elicitation'], ['summarize', 'sampling'], ['list_roots', 'roots']]) {
    const args = tool === 'summarize' ? { text: 'x' } : {};
    await report.check(`${tool} tells a client without ${capability} what is missing`, async () => {
      if (code === undefined) {
        const result = await call({ name: tool, arguments: args });
        holds(result.isError, `got ${JSON.stringify(result)}`);
        return;
      }
      const err = await rejection(call({ name: tool, arguments: args }), tool);
      same(err.code, code, 'code');
      same(err.data?.requiredCapabilities, { [capability]: {} }, 'required capabilities');
    });
  }
}
