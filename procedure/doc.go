// Package procedure serves ordinary Go functions as tools.
//
// A [Table] maps names to functions, method values and closures. A [Declaration] says beside it what a model is told: the
// server's name, and for each tool a description, the parameters in order and how the result is rendered. [NewServer]
// joins the two by name and gives an ordinary [mcp.Server]:
//
//	var table procedure.Table
//	err := table.Register("add", func(a, b int) int { return a + b })
//
//	declaration := procedure.NewDeclaration("calc", "1.0.0")
//	declaration.AddTool(mcp.Tool{Name: "add", Description: "Add two integers"}).
//		Param("a", schema.Integer(), "First operand").
//		Param("b", schema.Integer(), "Second operand")
//
//	server := procedure.NewServer(declaration, &table, nil)
//
// Go does not keep the names of parameters, so the declaration gives them: the first parameter that is declared is the
// first of the function, and so on, a leading context.Context not counted. A call names its arguments; they are checked
// against the declared schemas and converted straight into the function's types.
//
// # What a call does
//
// The two meet when a tool is called, so a procedure may be registered after its tool was declared, and replaced while the
// server runs; [Declaration.Verify] reports early what would not go together. An argument that is unknown, missing or not
// what its schema says is told to the model in a result with isError, by name. A tool without a procedure, or with one
// that does not go with its declaration, is a JSON-RPC error. For errors and panics of a procedure see [mcp.AddTool].
//
// # Signatures
//
// Parameters: any types that [schema.Of] takes, in any number. A variadic parameter is an array. An optional parameter that
// is not sent has its default if the schema has one, and else the zero value of its type, which is nil for a pointer.
//
// Results: none, one, or several, and an error at the end if the function can fail. No result is a result without
// content; one is rendered; several are rendered as an object, whose members [Tool.Results] names. A *[mcp.ToolResult] or a
// [content.Block] is sent as it is.
//
// This package does not know transports or revisions, does not start goroutines, and does not give names or descriptions
// to what it finds in Go code: for schemas from struct types see [mcp.AddTool].
package procedure
