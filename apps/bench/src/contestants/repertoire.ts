import { openRepertoire } from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'
import { basename } from 'node:path'
import { openAdapterSession } from '@repertoire/core/adapter'
import type { Contestant } from './contestant.ts'

type Opened = Awaited<ReturnType<typeof openRepertoire>>

/** This project: the catalog as every adapter uses it, with its diagnostics. */
export function prepare(root: string): Contestant {
  // The list is timed by itself, as that of all others.
  const scan = () =>
    openRepertoire({
      sources: [directorySource({ root, maxFolders: 1_000_000 })],
      listing: { prepare: false },
    })
  return {
    // Most of our code is imported when a repertoire first opens.
    warmUp: () => openRepertoire({ sources: [], listing: { prepare: false } }),
    scan,
    reload: (repertoire: Opened) => repertoire.reload({ force: true }),
    firstPrompt: async () => {
      const view = openAdapterSession(await scan()).beginStep(['Bash', 'Read'])
      return `${view.system('You are an agent.')}${JSON.stringify(view.tools)}`
    },
    read: ({ catalog }: Opened) =>
      [...catalog.list(), ...catalog.shadowed.map(({ skill }) => skill), ...catalog.inactive].map(
        ({ location, manifest }) => ({ folder: basename(location), description: manifest.description }),
      ),
  }
}
