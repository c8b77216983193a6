import { discoveryAims } from './aims/discovery.ts'
import { atMost } from './aims/judge.ts'
import { libraryAims } from './aims/library.ts'
import { promptAims } from './aims/prompt.ts'
import { agentAims, runnerAims } from './aims/running.ts'
import { soakAims } from './aims/soak.ts'
import { useAims } from './aims/use.ts'
import type { Aim, Measured } from './results.ts'

/** Returns the aims for what was measured. */
export function checkAims({ discoveries, prompt, use, agents, runners, library, imports, soak }: Measured): Aim[] {
  return [
    ...discoveryAims(discoveries),
    ...(prompt === undefined ? [] : promptAims(prompt)),
    ...(use === undefined ? [] : useAims(use)),
    ...(agents === undefined ? [] : agentAims(agents)),
    ...(runners === undefined ? [] : runnerAims(runners)),
    ...(library === undefined ? [] : libraryAims(library)),
    ...(imports === undefined
      ? []
      : [
          atMost(
            'import of @repertoire/core over a bare start of Node',
            15,
            imports.entries.find(({ name }) => name === '@repertoire/core')?.overBare,
            (value) => `${value.toFixed(1)} ms`,
          ),
        ]),
    ...(soak === undefined ? [] : soakAims(soak)),
  ]
}
