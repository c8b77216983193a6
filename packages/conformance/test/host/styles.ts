import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HostDriver } from '../../src/host.ts'
import { HIDDEN, toolOf, toyDriver, type ToyParts } from './toy-host.ts'

const text = (description: string): string => description.replaceAll(HIDDEN, '').replaceAll(/\s+/g, ' ').trim()

/** Hosts that are right in another way than the toy. None may fail a check. */
export const hostStyles: Readonly<Record<string, HostDriver>> = {
  'lists skills as the result of a tool': toyDriver(
    ({ list, ownTools, runAll }) => ({
      system: (instructions) => instructions,
      ownTools: (skills) =>
        skills.length === 0 ? [] : [...ownTools(skills), toolOf('list_skills', 'Lists skills.', [])],
      runAll: (calls, run, skills) =>
        runAll(calls, async (call) => (call.function.name === 'list_skills' ? list(skills) : run(call)), skills),
    }),
    { list: () => ({ tool: 'list_skills', input: {} }) },
  ),
  'loads a skill in two messages': toyDriver(
    ({ activate }) => ({
      async activate(skills, name, task) {
        const loaded = await activate(skills, name, task)
        return loaded.startsWith('Error') ? loaded : `Read SKILL.md of ${name}.`
      },
      // Its files can be read without a question.
      ask: () => true,
    }),
    {
      activate: (skill) => [
        [{ tool: 'skill', input: { name: skill } }],
        [{ tool: 'read_skill_file', input: { name: skill, path: 'SKILL.md' } }],
      ],
    },
  ),
  'writes everything as JSON': toyDriver(({ activate, read, run }) => ({
    system: (instructions, list) => `${instructions}\n\nSkills: ${list}`,
    list: (skills) =>
      skills.length === 0
        ? 'none'
        : JSON.stringify(skills.map(({ name, description }) => ({ name, description: text(description) }))),
    activate: async (skills, name, task) => JSON.stringify({ content: [await activate(skills, name, task)] }),
    read: async (skills, name, path) =>
      JSON.stringify({ content: [{ type: 'text', text: await read(skills, name, path) }] }),
    run: async (tool, input, callId) => JSON.stringify({ result: await run(tool, input, callId) }),
  })),
  'lists skills as Markdown': toyDriver(() => ({
    system: (instructions, list) => `${instructions}\n\n## Skills\n\n${list}`,
    list: (skills) => skills.map(({ name, description }) => `- **${name}**: ${text(description)}`).join('\n'),
  })),
  'lets the model read skills with a general file tool, which numbers lines': toyDriver(numberedLines, {
    activates: 'file tool',
    reads: 'file tool',
    activate: (skill, { folder }) => ({ tool: 'read_file', input: { path: join(folder, skill, 'SKILL.md') } }),
    read: (skill, path, { folder }) => ({ tool: 'read_file', input: { path: join(folder, skill, path) } }),
  }),
  'names tools otherwise': toyDriver(
    ({ body }) => ({
      body: (request, task) =>
        JSON.parse(JSON.stringify(body(request, task)).replaceAll('"lookup"', '"mcp__host__lookup"')),
      runAll: (calls, run) =>
        Promise.all(
          calls.map((call) =>
            run({ ...call, function: { ...call.function, name: call.function.name.replace('mcp__host__', '') } }),
          ),
        ),
    }),
    { toolName: (name) => `mcp__host__${name}` },
  ),
  'asks for a title beside the conversation': toyDriver(
    ({ send }) => ({
      async send(request, task) {
        if (request.messages.length === 2)
          await send({ model: request.model, messages: [{ role: 'user', content: 'Write a title.' }] }, task)
        return send(request, task)
      },
    }),
    { own: ({ messages }) => messages[0]?.text !== 'Write a title.' },
  ),
}

function numberedLines({ runAll }: ToyParts): Partial<ToyParts> {
  return {
    ownTools: () => [toolOf('read_file', 'Reads a file.', ['path'])],
    runAll: (calls, run, skills) =>
      runAll(
        calls,
        async (call) => {
          if (call.function.name !== 'read_file') return run(call)
          const { path } = JSON.parse(call.function.arguments) as { path: string }
          try {
            const lines = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '').split('\n')
            return lines.map((line, index) => `${String(index + 1).padStart(6)}→${line}`).join('\n')
          } catch (error) {
            return `Error: ${(error as Error).message}`
          }
        },
        skills,
      ),
  }
}
