import { openRepertoire, type Repertoire } from '@repertoire/core'
import { openAdapterSession } from '@repertoire/core/adapter'
import { directorySource } from '@repertoire/core/node'

/** A host with a small model: a short list, of the skills that fit the task first. */
export function openSmall(root: string): Promise<Repertoire> {
  return openRepertoire({
    sources: [directorySource({ root })],
    listing: { style: 'matched', budget: { share: 0.01 } },
    context: { window: 32_000 },
  })
}

/** What a model is shown for a task, and which skills had no room. */
export async function listFor(
  repertoire: Repertoire,
  task: string,
): Promise<{ readonly shown: string; readonly cut: string[] }> {
  const session = openAdapterSession(repertoire, { turns: { match: {} } })
  await session.beginTurn(task)
  const { instructions, cuts } = await session.step({ tools: [] })
  return { shown: instructions, cut: [...cuts.withoutDescription, ...cuts.dropped] }
}
