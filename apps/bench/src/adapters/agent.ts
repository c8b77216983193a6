import type { FunctionTool, Repertoire } from '@repertoire/core'

/** A call that the model makes in a step of its own. */
export interface PlannedCall {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

/** What an agent is made of. Without a repertoire it is the framework's own, with nothing of ours in it. */
export interface AgentParts {
  readonly tools: readonly FunctionTool[]
  readonly repertoire?: Repertoire
}

/** A framework's agent over a model that answers at once. */
export interface Agent {
  /**
   * Runs a task of its own, in which the model makes one call after the other and then answers.
   * @returns milliseconds from each model call to the next: one number for each planned call
   */
  run(calls: readonly PlannedCall[]): Promise<readonly number[]>
}

export type PrepareAgent = (parts: AgentParts) => Agent

export const INSTRUCTIONS = 'You are an agent.'
export const TASK = 'Do what is to be done.'

/** Notes when a model is called, and says what it answers: the next planned call, or nothing behind the last. */
export function planOf(calls: readonly PlannedCall[]): {
  next(): (PlannedCall & { readonly id: string }) | undefined
  steps(): readonly number[]
} {
  const calledAt: number[] = []
  return {
    next() {
      const index = calledAt.push(performance.now()) - 1
      const call = calls[index]
      return call === undefined ? undefined : { ...call, id: `call-${index}` }
    },
    steps() {
      if (calledAt.length !== calls.length + 1)
        throw new Error(`Error: the model was called ${calledAt.length} times, and not ${calls.length + 1}.`)
      return calledAt.slice(1).map((at, index) => at - (calledAt[index] ?? at))
    },
  }
}
