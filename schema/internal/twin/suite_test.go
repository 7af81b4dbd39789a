package twin_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bowline-go/mcp/schema"
)

// A group is one schema of the official suite with its vectors.
type group struct {
	Description string
	Schema      json.RawMessage
	Tests       []struct {
		Description string
		Data        json.RawMessage
		Valid       bool
	}
}

func TestOfficialSuite(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/google/jsonschema-go").Output()
	if err != nil {
		t.Fatalf("find the vectors: %v", err)
	}
	root := filepath.Join(strings.TrimSpace(string(out)), "jsonschema", "testdata")
	for _, draft := range []struct{ dir, dialect string }{
		{"draft2020-12", "https://json-schema.org/draft/2020-12/schema"},
		{"draft7", "http://json-schema.org/draft-07/schema#"},
	} {
		t.Run(draft.dir, func(t *testing.T) {
			files, err := filepath.Glob(filepath.Join(root, draft.dir, "*.json"))
			if err != nil || len(files) == 0 {
				t.Fatalf("no vectors in %s: %v", root, err)
			}
			decided, remote := 0, 0
			for _, file := range files {
				d, r := runFile(t, file, draft.dialect)
				decided, remote = decided+d, remote+r
			}
			t.Logf("%d vectors decided; %d groups refused because they need a document from elsewhere", decided, remote)
			if decided < 800 || remote > 30 {
				t.Error("the suite is not what it was")
			}
		})
	}
}

func runFile(t *testing.T, file, dialect string) (decided, remote int) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var groups []group
	if err := json.Unmarshal(text, &groups); err != nil {
		t.Fatal(err)
	}
	for _, g := range groups {
		name := filepath.Base(file) + ": " + g.Description
		c, err := schema.Raw(inDialect(t, g.Schema, dialect)).Compile(schema.CompileOptions{Role: schema.Output})
		switch {
		case err == nil:
		case strings.Contains(err.Error(), "references are never fetched"):
			remote++
			continue
		case filepath.Base(file) == "default.json" && strings.Contains(err.Error(), "does not satisfy its own schema"):
			continue // a default that its own schema refuses is a mistake here
		default:
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, vector := range g.Tests {
			decided++
			if err := c.Validate(vector.Data); (err == nil) != vector.Valid {
				t.Errorf("%s: %s: valid is %v, got %v", name, vector.Description, vector.Valid, err)
			}
		}
	}
	return decided, remote
}

// inDialect adds $schema to a schema that has none.
func inDialect(t *testing.T, text json.RawMessage, dialect string) json.RawMessage {
	var object map[string]json.RawMessage
	if json.Unmarshal(text, &object) != nil || object["$schema"] != nil {
		return text
	}
	quoted, err := json.Marshal(dialect)
	if err != nil {
		t.Fatal(err)
	}
	object["$schema"] = quoted
	made, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	return made
}
