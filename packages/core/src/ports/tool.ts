/** A tool as it is declared to a model. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** JSON Schema of the input, always an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  /**
   * Whether a host that asks about risky tools should ask about this one. `risky`: it activates a skill, which may run
   * its hooks and changes what is permitted; core asks about it itself. No model is shown it.
   */
  readonly risk?: 'safe' | 'risky'
}

/** A plain function that is offered to a model. */
export interface FunctionTool extends ToolDefinition {
  execute(input: unknown, options: { readonly callId: string; readonly signal?: AbortSignal }): unknown
}

/** A call as the model wrote it. */
export interface ToolCall {
  /** The framework's id of the call. */
  readonly id: string
  readonly tool: string
  readonly input: unknown
}
