import { ChildFailure } from './run-child.ts'

/** What one participant answered in each round, from the first. */
export interface Turns<T> {
  readonly answers: readonly T[]
  /** Why there are no more answers. */
  readonly failure?: string
}

/** Lets each participant run once in every round, so that what else the machine does affects all of them. */
export async function takeTurns<K, T>(
  participants: readonly K[],
  rounds: number,
  run: (participant: K, round: number) => Promise<T>,
): Promise<ReadonlyMap<K, Turns<T>>> {
  const turns = new Map<K, { answers: T[]; failure?: string }>(participants.map((each) => [each, { answers: [] }]))
  for (let round = 0; round < rounds; round++) {
    // A position in a round can be an advantage, so each round begins with another participant.
    const first = round % Math.max(1, participants.length)
    for (const participant of [...participants.slice(first), ...participants.slice(0, first)]) {
      const turn = turns.get(participant)!
      if (turn.failure !== undefined) continue
      try {
        turn.answers.push(await run(participant, round))
      } catch (error) {
        if (!(error instanceof ChildFailure)) throw error
        turn.failure = error.message
      }
    }
  }
  return turns
}
