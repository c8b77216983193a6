import type { ConsentRequest } from '@repertoire/core'
import { askInTerminal } from '@repertoire/core/node'

// Lines that are typed meanwhile wait in the terminal.
await new Promise((resolve) => setTimeout(resolve, 300))
const consent = askInTerminal({ output: process.stdout })
const { signal } = new AbortController()
for (const name of ['First', 'Second'])
  console.log(`${name}: ${await consent({ id: name, text: `${name}?` } as ConsentRequest, { signal })}`)
process.exit(0)
