import { openRepertoire, type Session } from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'

/** A session whose prompt has the skills that fit a person's last message. */
export async function openMatching(root: string): Promise<Session> {
  const sources = [directorySource({ root })]
  const repertoire = await openRepertoire({ sources, listing: { style: 'matched' } })
  return repertoire.openSession({ turns: { match: { limit: 3 } } })
}
