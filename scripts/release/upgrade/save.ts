// Run in a project with the first version: saves what a program keeps.
import { writeFileSync } from 'node:fs'
import { openRepertoire } from '@repertoire/core'
import { directorySource, jsonLinesAudit } from '@repertoire/core/node'

const repertoire = await openRepertoire({
  sources: [directorySource({ root: '.agents/skills', id: 'project' })],
  sessionSecret: 'a secret of thirty-two characters',
  audit: { sink: jsonLinesAudit({ path: 'audit.jsonl' }) },
})
const session = repertoire.openSession({ id: 'chat', consent: () => true })
const activated = await session.activate('greet')
if (!activated.ok) throw new Error(activated.text)
writeFileSync('session.json', JSON.stringify(session.save()))
await repertoire.close()
