import type { ConsentRequest } from '@repertoire/core'
import { askInTerminal } from '@repertoire/core/node'
import { setTimeout } from 'node:timers/promises'

// Lines that are typed meanwhile wait in the terminal.
await setTimeout(300)
const consent = askInTerminal({ output: process.stdout })
const { signal } = new AbortController()
for (const name of ['First', 'Second']) {
  const approved = (await consent({ id: name, text: `${name}?` } as ConsentRequest, { signal })) as boolean
  console.log(`${name}: ${approved ? 'yes' : 'no'}`)
}
process.exit(0)
