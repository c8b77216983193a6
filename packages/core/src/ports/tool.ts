/** A tool as it is declared to a model. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** JSON Schema of the input, always an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>
}

/** A plain function that is offered to a model. */
export interface FunctionTool extends ToolDefinition {
  execute(input: unknown, options: { readonly callId: string; readonly signal?: AbortSignal }): unknown
}

/** Which argument of a host's tool a pattern such as `Bash(git:*)` is compared with, and how. */
export interface ToolArgument {
  /** The property's name in the input; where several are given, every one that is present must satisfy the rule. */
  readonly argument: string | readonly string[]
  /** `shell`: one simple command; `path`: a file; `url`: an address; `text`: a plain string. */
  readonly kind: 'shell' | 'path' | 'url' | 'text'
  /**
   * Whether the tool shows a file's content, so that scripts of active skills are kept from it. `below`: it shows that
   * of the files below a folder too (it searches, or reads many), so that folders of a skill with scripts are as well.
   * Default false.
   */
  readonly reads?: boolean | 'below'
}

/** A call as the model wrote it. */
export interface ToolCall {
  /** The framework's id of the call. */
  readonly id: string
  readonly tool: string
  readonly input: unknown
}
