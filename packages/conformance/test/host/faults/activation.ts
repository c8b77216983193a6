import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { HostTask } from '../../../src/host.ts'
import type { ToySkill } from '../toy-host.ts'
import { fault, type HostFault, isSkillResult, loading, parsing, sending } from './break.ts'

export const activationFaults: readonly HostFault[] = [
  loading('loads the first section of the instructions', 'activation-body', (body) => body.split('\n## ')[0]!),
  loading('ends instructions at a line of dashes', 'activation-body', (body) => body.split('\n---\n')[0]!),
  loading('puts instructions into a template with `replace`', 'activation-body', (body) =>
    '<skill>{body}</skill>'.replace('{body}', body),
  ),
  loading('cuts instructions without saying so', 'activation-large-body', (body) => body.slice(0, 20_000)),
  fault('finds a skill by a part of its name', 'activation-right-skill', () => ({
    find: (skills, name) => skills.find((skill) => skill.name.includes(name)),
  })),
  fault('answers one activation of a message', 'activation-two-in-one-message', () => ({
    runAll(calls, runOne) {
      const first = calls.findIndex((call) => call.function.name === 'skill')
      return Promise.all(
        calls.map(async (call, index) =>
          call.function.name === 'skill' && index !== first ? 'Error: one skill at a time.' : runOne(call),
        ),
      )
    },
  })),
  sending('forgets a skill when another is activated', 'activation-one-after-another', (messages) => {
    const last = messages.findLastIndex(({ tool_calls: calls = [] }) =>
      calls.some((call) => call.function.name === 'skill'),
    )
    return messages.map((message, index) =>
      index < last && isSkillResult(messages, message) ? { ...message, content: 'Unloaded.' } : message,
    )
  }),
  fault(
    'gives up when a skill is activated again',
    'activation-twice',
    ({ activate }) => {
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
    { because: 'The skill is loaded already.' },
  ),
  fault(
    'finds skills as the properties of an object',
    'activation-constructor',
    () => ({
      find: (skills, name) =>
        (Object.fromEntries(skills.map((skill) => [skill.name, skill])) as Record<string, ToySkill>)[name],
    }),
    { because: 'messages[3].content is neither a string nor an array of parts' },
  ),
  fault('takes the name of a skill for a path', 'activation-traversal', ({ activate }) => ({
    async activate(skills, name, task) {
      if (skills.some((skill) => skill.name === name)) return activate(skills, name, task)
      const file = resolve(task.folder, name, 'SKILL.md')
      return readFile(file, 'utf8').catch(() => `Error: there is no skill ${name}.`)
    },
  })),
  loading('removes the indentation of instructions', 'activation-body', (body) => body.replaceAll(/^[ \t]+/gm, '')),
  parsing('expects a line break at the end of a file', 'activation-body', /[^\n]$/, (skill) => ({
    ...skill,
    body: skill.body.replace(/\n[^\n]*$/, ''),
  })),
]
