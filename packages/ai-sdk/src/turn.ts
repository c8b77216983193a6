import type { ForkRunner, Turn } from '@repertoire/core'
import {
  type AdapterSession,
  beginTurnOrAsk,
  type InvocationCall,
  messageText,
  type StandIn,
} from '@repertoire/core/adapter'
import type { ModelMessage } from 'ai'

/** The turns of a session's persons. */
export interface Turns {
  /** Begins a turn if the last message is a person's. A `/name` that needs consent becomes a call to ask about. */
  begin(
    messages: readonly ModelMessage[],
  ): Promise<{ readonly text?: string | undefined; readonly asks?: InvocationCall }>
  /** Begins the turn of a `/name` that a person was asked about. Returns what the session adds to the conversation. */
  answered(turn: NonNullable<StandIn['turn']>, signal?: AbortSignal): Promise<string | undefined>
}

/** @param signal the run's, if it is known */
export function createTurns(
  session: AdapterSession,
  {
    fork,
    signal: ofRun,
    onTurn,
  }: {
    readonly fork: ForkRunner
    readonly signal: AbortSignal | undefined
    readonly onTurn: ((turn: Turn) => void | Promise<void>) | undefined
  },
): Turns {
  return {
    async begin(messages) {
      const last = messages.at(-1)
      // An answer to a consent request continues a turn that has already begun.
      if (last?.role !== 'user' || isOwn(last)) return {}
      const { turn, asks } = await beginTurnOrAsk(session, messageText(last.content), { fork, signal: ofRun })
      if (turn === undefined) return { asks }
      await onTurn?.(turn)
      return { text: turn.text }
    },
    async answered({ id, message }, signal = ofRun) {
      const turn = await session.beginTurn(message, { id, fork, signal })
      await onTurn?.(turn)
      return turn.text
    },
  }
}

/** Marks the session's messages, for runs that begin with stored ones. No provider has this name: it is never sent. */
export const OWN = { repertoire: { from: 'skills' } }

/** Whether the session has added a message to the person's before it. */
export function isOwn({ providerOptions }: Pick<ModelMessage, 'providerOptions'>): boolean {
  return providerOptions?.['repertoire']?.['from'] === OWN.repertoire.from
}
