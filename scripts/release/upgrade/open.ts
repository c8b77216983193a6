// Run in the same project after an upgrade: opens what the first version has saved.
import { deepEqual, equal, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { openRepertoire, type SavedSession } from '@repertoire/core'
import { directorySource, loadConfiguration, readAudit } from '@repertoire/core/node'

const repertoire = await openRepertoire({
  sources: [directorySource({ root: '.agents/skills', id: 'project' })],
  sessionSecret: 'a secret of thirty-two characters',
})
const saved = JSON.parse(readFileSync('session.json', 'utf8')) as SavedSession
await using session = repertoire.openSession({ saved })
deepEqual(session.activeSkills, ['greet'])
const refused = await session.call({ id: '1', tool: 'Bash', input: { command: 'rm -rf .' } }, () => 'it ran')
equal(refused.ok, false)

const types: string[] = []
for await (const { type } of readAudit('audit.jsonl')) types.push(type)
ok(types.includes('skill.activated'), types.join(' '))

const { style, origins } = await loadConfiguration({ project: process.cwd() })
equal(style, 'section')
equal(origins.style?.from, 'project')
console.log('session, audit log and configuration are open')
