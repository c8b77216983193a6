import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { HostTask } from '../../../src/host.ts'
import type { ToySkill } from '../toy-host.ts'
import { parsing, sending, loading, isSkillResult, type HostFault } from './break.ts'

export const activationFaults: readonly HostFault[] = [
  {
    wrong: 'loads the first section of the instructions',
    fails: ['activation-body'],
    change: loading((body) => body.split('\n## ')[0]!),
  },
  {
    wrong: 'takes what is behind a byte order mark for frontmatter',
    fails: ['activation-bom'],
    change: parsing(/^\uFEFF/, (skill) => ({ ...skill, body: '' })),
  },
  {
    wrong: 'loads the first paragraph of instructions with CRLF',
    fails: ['activation-crlf'],
    change: parsing(/^---\r\n/, (skill) => ({ ...skill, body: skill.body.trimStart().split('\r\n')[0]! })),
  },
  {
    wrong: 'ends instructions at a line of dashes',
    fails: ['activation-body'],
    change: loading((body) => body.split('\n---\n')[0]!),
  },
  {
    wrong: 'puts instructions into a template with `replace`',
    fails: ['activation-body'],
    change: loading((body) => '<skill>{body}</skill>'.replace('{body}', body)),
  },
  {
    wrong: 'reads instructions as Latin-1',
    fails: ['activation-body'],
    change: loading((body) => Buffer.from(body).toString('latin1')),
  },
  {
    wrong: 'cuts instructions without saying so',
    fails: ['activation-large-body'],
    change: loading((body) => body.slice(0, 20_000)),
  },
  {
    wrong: 'finds a skill by a part of its name',
    fails: ['activation-right-skill'],
    change: () => ({ find: (skills, name) => skills.find((skill) => skill.name.includes(name)) }),
  },
  {
    wrong: 'answers one activation of a message',
    fails: ['activation-two-in-one-message'],
    change: () => ({
      runAll(calls, runOne) {
        const first = calls.findIndex((call) => call.function.name === 'skill')
        return Promise.all(
          calls.map(async (call, index) =>
            call.function.name === 'skill' && index !== first ? 'Error: one skill at a time.' : runOne(call),
          ),
        )
      },
    }),
  },
  {
    wrong: 'forgets a skill when another is activated',
    fails: ['activation-one-after-another'],
    change: sending((messages) => {
      const last = messages.findLastIndex(({ tool_calls: calls = [] }) =>
        calls.some((call) => call.function.name === 'skill'),
      )
      return messages.map((message, index) =>
        index < last && isSkillResult(messages, message) ? { ...message, content: 'Unloaded.' } : message,
      )
    }),
  },
  {
    wrong: 'gives up when a skill is activated again',
    fails: ['activation-twice'],
    because: 'The skill is loaded already.',
    change({ activate }) {
      const loaded = new WeakMap<HostTask, Set<string>>()
      return {
        activate(skills, name, task) {
          const names = loaded.get(task) ?? new Set()
          loaded.set(task, names)
          if (names.has(name)) throw new Error('The skill is loaded already.')
          names.add(name)
          return activate(skills, name, task)
        },
      }
    },
  },
  {
    wrong: 'finds skills as the properties of an object',
    fails: ['activation-constructor'],
    because: 'messages[3].content is neither a string nor an array of parts',
    change: () => ({
      find: (skills, name) =>
        (Object.fromEntries(skills.map((skill) => [skill.name, skill])) as Record<string, ToySkill>)[name],
    }),
  },
  {
    wrong: 'takes the name of a skill for a path',
    fails: ['activation-traversal'],
    change: ({ activate }) => ({
      async activate(skills, name, task) {
        if (skills.some((skill) => skill.name === name)) return activate(skills, name, task)
        const file = resolve(task.folder, name, 'SKILL.md')
        return readFile(file, 'utf8').catch(() => `Error: there is no skill ${name}.`)
      },
    }),
  },
  {
    wrong: 'removes the indentation of instructions',
    fails: ['activation-body'],
    change: loading((body) => body.replaceAll(/^[ \t]+/gm, '')),
  },
  {
    wrong: 'expects a line break at the end of a file',
    fails: ['activation-body'],
    change: parsing(/[^\n]$/, (skill) => ({ ...skill, body: skill.body.replace(/\n[^\n]*$/, '') })),
  },
]
