import { getConfig } from '@langchain/langgraph'
import type { Repertoire } from '@repertoire/core'
import type { AdapterSession } from '@repertoire/core/adapter'
import type { Runtime } from 'langchain'

/**
 * The session of a run without a checkpointer. Nothing can resume such a run, so the session stays in memory and ends
 * with it. A class with private fields: LangGraph hands an instance on as it is, and streams do not show what it holds.
 */
export class RunSession {
  readonly #session: AdapterSession
  readonly #forget: () => void
  readonly #end = (): void => void this.end()

  constructor(session: AdapterSession, repertoire: Pick<Repertoire, 'onClose'>) {
    this.#session = session
    this.#forget = repertoire.onClose(() => this.end())
  }

  get session(): AdapterSession {
    return this.#session
  }

  /**
   * Ends the session when the run is aborted, when the reader of its stream leaves, or when a node of the current step
   * fails: LangGraph aborts the signal of the step then.
   */
  follow({ signal, configurable }: Pick<Runtime, 'signal' | 'configurable'>): this {
    const { externalAbortSignal } = (configurable?.['__pregel_abort_signals'] ?? {}) as RunSignals
    // The second signal aborts also while nodes run that are not this middleware's.
    for (const each of [signal, externalAbortSignal]) {
      if (each?.aborted === true) this.#end()
      else each?.addEventListener('abort', this.#end, { once: true })
    }
    return this
  }

  /** Ends the session. Safe to repeat. */
  async end(): Promise<void> {
    await this.#session.end()
    this.#forget()
  }
}

interface RunSignals {
  readonly externalAbortSignal?: AbortSignal
}

/** Whether the current run has a checkpointer, by the condition of LangGraph's `interrupt`. */
export function hasCheckpointer(): boolean {
  const { configurable } = getConfig() as { readonly configurable?: Readonly<Record<string, unknown>> }
  return Boolean(configurable?.['__pregel_checkpointer'])
}

/**
 * LangChain gives `beforeAgent` only the context of the middleware's own `contextSchema`, and the other hooks all of
 * it. The graph's own configuration has it, too.
 */
export function withWholeContext(runtime: Runtime): Runtime {
  const { context } = getConfig() as { readonly context?: unknown }
  return { ...runtime, context: context ?? runtime.context }
}

/** Returns the id of a run's thread; empty if there is none. */
export function threadOf({ configurable }: Runtime): string {
  const { thread_id: id } = (configurable ?? {}) as { readonly thread_id?: unknown }
  return typeof id === 'string' || typeof id === 'number' ? String(id) : ''
}
