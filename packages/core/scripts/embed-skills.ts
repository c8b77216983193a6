// Embeds the skills that this package ships: node scripts/embed-skills.ts [FROM TO]
import { join, resolve } from 'node:path'
import { embedSkills } from '../src/node/bundled/embed-skills.ts'

const [from, to] = process.argv.slice(2)
if (from !== undefined && to === undefined) throw new TypeError('Name the module too: embed-skills.ts FROM TO')
const packageFolder = join(import.meta.dirname, '..')
embedSkills({
  from: resolve(from ?? join(packageFolder, 'skills')),
  to: resolve(to ?? join(packageFolder, 'bundled/skills.generated.js')),
})
