import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import process from 'node:process'
import { type HostFault } from './break.ts'

const run = promisify(execFile)

export const consentFaults: readonly HostFault[] = [
  {
    wrong: 'runs the module of a skill when it lists it',
    fails: ['consent-listing-runs-nothing', 'consent-activation-runs-nothing', 'consent-reading-runs-nothing'],
    change: ({ parse }) => ({
      async parse(bytes, folder) {
        const module = join(folder, 'index.js')
        if (existsSync(module)) await run(process.execPath, [module])
        return parse(bytes, folder)
      },
    }),
  },
  {
    wrong: 'runs the set-up script of a skill that is activated',
    fails: ['consent-activation-runs-nothing', 'consent-reading-runs-nothing'],
    change: ({ activate, find }) => ({
      async activate(skills, name, task) {
        const { folder = '' } = find(skills, name) ?? {}
        await run('/bin/sh', [join(folder, 'scripts/setup.sh')]).catch(() => {})
        return activate(skills, name, task)
      },
    }),
  },
  {
    wrong: 'asks and does not wait for the answer',
    fails: ['consent-no-obeyed'],
    change: ({ ask }) => ({
      ask(question, task) {
        ask(question, task)
        return true
      },
    }),
  },
  {
    wrong: 'gives up at a no',
    fails: ['consent-no-obeyed'],
    change: ({ ask }) => ({
      ask(question, task) {
        if (ask(question, task)) return true
        throw new Error('The user said no.')
      },
    }),
  },
  {
    wrong: 'runs a script that the model reads',
    fails: ['consent-reading-runs-nothing'],
    change: ({ read }) => ({
      async read(skills, name, path) {
        const { folder = '' } = skills.find((skill) => skill.name === name) ?? {}
        if (path.endsWith('.sh')) await run('/bin/sh', [join(folder, path)])
        return read(skills, name, path)
      },
    }),
  },
]
