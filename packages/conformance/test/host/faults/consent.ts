import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import process from 'node:process'
import { fault, type HostFault } from './break.ts'

const run = promisify(execFile)

export const consentFaults: readonly HostFault[] = [
  fault(
    'runs the module of a skill when it lists it',
    ['consent-listing-runs-nothing', 'consent-activation-runs-nothing', 'consent-reading-runs-nothing'],
    ({ parse }) => ({
      async parse(bytes, folder) {
        const module = join(folder, 'index.js')
        if (existsSync(module)) await run(process.execPath, [module])
        return parse(bytes, folder)
      },
    }),
  ),
  fault(
    'runs the set-up script of a skill that is activated',
    ['consent-activation-runs-nothing', 'consent-reading-runs-nothing'],
    ({ activate, find }) => ({
      async activate(skills, name, task) {
        const { folder = '' } = find(skills, name) ?? {}
        await run('/bin/sh', [join(folder, 'scripts/setup.sh')]).catch(() => {})
        return activate(skills, name, task)
      },
    }),
  ),
  fault('asks and does not wait for the answer', 'consent-no-obeyed', ({ ask }) => ({
    ask(question, task) {
      ask(question, task)
      return true
    },
  })),
  fault('gives up at a no', 'consent-no-obeyed', ({ ask }) => ({
    ask(question, task) {
      if (ask(question, task)) return true
      throw new Error('The user said no.')
    },
  })),
  fault('runs a script that the model reads', 'consent-reading-runs-nothing', ({ read }) => ({
    async read(skills, name, path) {
      const { folder = '' } = skills.find((skill) => skill.name === name) ?? {}
      if (path.endsWith('.sh')) await run('/bin/sh', [join(folder, path)])
      return read(skills, name, path)
    },
  })),
]
