/** Writes down what the skills of the demo hold now, in the lock beside them: `npm run lock-skills`. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { skillFolder } from '@repertoire/core/node'
import { changeSkillsLock, pinSkill } from '@repertoire/library'
import { LOCKED_PROJECT } from './locked-skills.ts'

const names = readdirSync(join(LOCKED_PROJECT, 'skills')).toSorted()
const pins = new Map<string, Awaited<ReturnType<typeof pinSkill>>>()
for (const name of names) pins.set(name, await pinSkill(skillFolder(join(LOCKED_PROJECT, 'skills', name))))
await changeSkillsLock(LOCKED_PROJECT, (skills) => {
  skills.clear()
  for (const [name, pin] of pins) skills.set(name, { source: `./skills/${name}`, sourceType: 'local', ...pin })
})
