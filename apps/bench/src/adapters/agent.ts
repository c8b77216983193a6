import type { FunctionTool, Repertoire } from '@repertoire/core'

/** What an agent is made of. Without a repertoire, the agent uses the framework alone. */
export interface AgentParts {
  readonly tools: readonly FunctionTool[]
  readonly repertoire?: Repertoire
}

/** A framework's agent over a model that answers at once. */
export interface Agent {
  /**
   * Runs a separate task: the model makes some calls one after the other and then answers.
   * @returns milliseconds from each model call to the next: one number for each planned call
   */
  run(calls: number): Promise<readonly number[]>
}

export type PrepareAgent = (parts: AgentParts) => Agent

export const INSTRUCTIONS = 'You are an agent.'
export const TASK = 'Do what is to be done.'
/** What the model calls in every step. */
export const CALL = { tool: 'Read', input: { file_path: 'docs/guide.md' } }

type PlannedCall = typeof CALL & { readonly id: string }

export interface Plan {
  /** Notes that the model is called, and returns what it answers: the next call, or nothing after the last. */
  next(): PlannedCall | undefined
  /** @throws {Error} unless the model was called once more than it made calls */
  steps(): readonly number[]
}

export function planOf(calls: number): Plan {
  const calledAt: number[] = []
  return {
    next() {
      const index = calledAt.push(performance.now()) - 1
      return index < calls ? { ...CALL, id: `call-${index}` } : undefined
    },
    steps() {
      if (calledAt.length !== calls + 1)
        throw new Error(`Error: the model was called ${calledAt.length} times, and not ${calls + 1}.`)
      return calledAt.slice(1).map((at, index) => at - calledAt[index]!)
    },
  }
}
