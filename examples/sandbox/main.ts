import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ConsentHandler, type ConsentRequest, isSkillError, type ScriptRunner } from '@repertoire/core'
import { askInTerminal, openSkills } from '@repertoire/core/node'
import { createReActLoop } from '@repertoire/react-loop'
import { openBubblewrapRunner, virtualRunner } from '@repertoire/runners'
import { openModel } from './model.ts'

/** The documents of a person: scripts may read them, except for one. */
const workspace = { path: join(import.meta.dirname, 'documents'), access: 'read', hide: ['payroll.csv'] } as const

/** The programs of this machine in a sandbox, or the virtual shell if there is no sandbox. */
async function openRunner(): Promise<ScriptRunner> {
  try {
    return await openBubblewrapRunner({ workspace })
  } catch (error) {
    if (!isSkillError(error)) throw error
    console.log(`No bubblewrap, so scripts run in the virtual shell: ${error.message}\n`)
    return virtualRunner({ workspace })
  }
}

/** Asks in the terminal. Without one, as in a test, the answer is yes. */
const consent: ConsentHandler = process.stdin.isTTY ? askInTerminal({ output: process.stdout }) : sayYes

function sayYes({ text }: ConsentRequest): boolean {
  console.log(text)
  return true
}

// Scripts must not see this.
process.env.SECRET_KEY = 'abc123'

const { model, close } = await openModel()
const repertoire = await openSkills(join(import.meta.dirname, 'skills'), {
  scripts: { runner: await openRunner(), limits: { timeout: 20_000 } },
})
const loop = createReActLoop({ model, repertoire, session: { consent } })
for await (const event of loop.stream('How long are my documents?')) {
  if (event.type === 'tool-call') console.log(`\n> ${event.call.tool} ${JSON.stringify(event.call.input)}`)
  if (event.type === 'tool-result') console.log(event.result.content)
  if (event.type === 'text-delta') process.stdout.write(event.text)
}
console.log(`\nThe notes, afterwards: ${readFileSync(join(workspace.path, 'notes.md'), 'utf8')}`)
await repertoire.close()
await close()
