import { readdir, readFile, realpath } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve } from 'node:path'
import type { FunctionTool } from '@repertoire/core'
import { escapeXml } from '@repertoire/core/adapter'
import { parseSkill } from '@repertoire/core/authoring'
import type { Host, HostDriver, HostTask } from '../../src/host.ts'

/** A skill as the toy has loaded it. */
export interface ToySkill {
  readonly name: string
  readonly description: string
  readonly body: string
  readonly folder: string
}

/** A message of chat completions. */
export interface ToyMessage {
  readonly role: string
  readonly content: unknown
  readonly tool_calls?: readonly ToyCall[]
  readonly tool_call_id?: string
}

interface ToyCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

/** The body of a request. */
export interface ToyRequest {
  readonly model: string
  readonly messages: readonly ToyMessage[]
  readonly tools?: readonly unknown[]
}

/** A small host that loads skills correctly, in parts that a fault can replace. */
export interface ToyParts {
  readonly scan: (folder: string) => Promise<readonly ToySkill[]>
  /** Called for a place without a file that can be read. */
  readonly unreadable: (error: NodeJS.ErrnoException, path: string) => Promise<undefined>
  readonly parse: (bytes: Uint8Array, folder: string) => Promise<ToySkill | undefined>
  readonly describe: (description: string) => string
  readonly list: (skills: readonly ToySkill[]) => string
  readonly system: (instructions: string, list: string) => string
  /** The tools of the host itself. */
  readonly ownTools: (skills: readonly ToySkill[]) => readonly FunctionTool[]
  readonly ask: (question: string, task: HostTask) => boolean
  readonly find: (skills: readonly ToySkill[], name: string) => ToySkill | undefined
  readonly activate: (skills: readonly ToySkill[], name: string, task: HostTask) => Promise<string>
  readonly resolve: (skill: ToySkill, path: string) => Promise<string>
  readonly read: (skills: readonly ToySkill[], name: string, path: string) => Promise<string>
  readonly run: (tool: FunctionTool, input: unknown, callId: string) => Promise<string>
  readonly runAll: (
    calls: readonly ToyCall[],
    run: (call: ToyCall) => Promise<string>,
    skills: readonly ToySkill[],
  ) => Promise<readonly string[]>
  /** What is sent of the conversation. */
  readonly send: (request: ToyRequest, task: HostTask) => Promise<ToyMessage>
  readonly body: (request: ToyRequest, task: HostTask) => ToyRequest
  readonly begin: (task: HostTask) => Promise<ToyMessage[]>
  readonly start: (task: HostTask) => Promise<Host>
}

/** Returns the driver of a toy host, with some of its parts replaced. */
export function toyDriver(
  change: (parts: ToyParts) => Partial<ToyParts> = () => ({}),
  more: Partial<HostDriver> = {},
): HostDriver {
  const parts = toyParts(change)
  return {
    name: 'toy',
    version: '1.0.0',
    documentation: 'https://example.com/skills',
    start: (task) => parts.start(task),
    activate: (skill) => ({ tool: 'skill', input: { name: skill } }),
    read: (skill, path) => ({ tool: 'read_skill_file', input: { name: skill, path } }),
    ...more,
  }
}

export const HIDDEN = /[\u200B\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/gu
const MAX_BYTES = 32 * 1024

function toyParts(change: (parts: ToyParts) => Partial<ToyParts>): ToyParts {
  const parts: ToyParts = {
    async scan(folder) {
      const skills: ToySkill[] = []
      for (const name of (await readdir(folder)).toSorted()) {
        const bytes = await readFile(join(folder, name, 'SKILL.md')).catch((error) =>
          parts.unreadable(error, join(folder, name)),
        )
        const skill = bytes === undefined ? undefined : await parts.parse(bytes, join(folder, name))
        if (skill !== undefined) skills.push(skill)
      }
      return skills
    },
    unreadable: async () => undefined,
    async parse(bytes, folder) {
      const { manifest, body = '' } = await parseSkill(bytes)
      return manifest === undefined
        ? undefined
        : { name: manifest.name, description: manifest.description, body, folder }
    },
    describe: (description) => escapeXml(description.replaceAll(HIDDEN, '').replaceAll(/\s+/g, ' ').trim()),
    list: (skills) =>
      skills
        .map(({ name, description }) => `<skill><name>${name}</name>${parts.describe(description)}</skill>`)
        .join('\n'),
    system: (instructions, list) => (list === '' ? instructions : `${instructions}\n\n<skills>\n${list}\n</skills>`),
    ownTools: (skills) =>
      skills.length === 0
        ? []
        : [
            toolOf('skill', 'Loads the instructions of a skill.', ['name']),
            toolOf('read_skill_file', 'Reads a file of a skill.', ['name', 'path']),
          ],
    ask: (question, { onConsent }) => onConsent(question),
    find: (skills, name) => skills.find((skill) => skill.name === name),
    async activate(skills, name, task) {
      const skill = parts.find(skills, name)
      if (skill === undefined) return `Error: there is no skill ${name}.`
      return parts.ask(`Load ${name}?`, task) ? skill.body : 'Error: the user said no.'
    },
    async resolve({ folder }, path) {
      const file = resolve(folder, path)
      if (isAbsolute(path) || isOutside(folder, file)) throw new Error('The path leads out of the skill.')
      const real = await realpath(file)
      if (isOutside(folder, real)) throw new Error('The path leads out of the skill.')
      return real
    },
    async read(skills, name, path) {
      const skill = skills.find((each) => each.name === name)
      if (skill === undefined) return `Error: there is no skill ${name}.`
      try {
        const bytes = await readFile(await parts.resolve(skill, path))
        const text = bytes.subarray(0, MAX_BYTES).toString()
        return bytes.length > MAX_BYTES ? `${text}\n(The file is cut.)` : text
      } catch (error) {
        return `Error: ${(error as Error).message}`
      }
    },
    run: async (tool, input, callId) =>
      String(await tool.execute(input, { callId, signal: new AbortController().signal })),
    runAll: (calls, run) => Promise.all(calls.map(run)),
    body: (request) => request,
    async send(request, task) {
      const { baseURL, apiKey } = task.endpoint
      const response = await fetch(`${baseURL}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
        body: JSON.stringify(parts.body(request, task)),
      })
      const answer = (await response.json()) as any
      if (!response.ok) throw new Error(`The model answered ${response.status}: ${answer.error?.message}`)
      return answer.choices[0].message as ToyMessage
    },
    begin: async () => [],
    async start(task) {
      const messages = await parts.begin(task)
      return {
        async send(text) {
          messages.push({ role: 'user', content: text })
          for (;;) {
            const skills = await parts.scan(task.folder)
            const own = parts.ownTools(skills)
            const tools = [...task.tools, ...own]
            const system = parts.system(task.instructions, parts.list(skills))
            const request: ToyRequest = {
              model: task.endpoint.model,
              messages: [{ role: 'system', content: system }, ...messages],
              ...(tools.length > 0 && { tools: tools.map(wireTool) }),
            }
            const answer = await parts.send(request, task)
            messages.push(answer)
            const { tool_calls: calls = [] } = answer
            if (calls.length === 0) return answer.content
            const results = await parts.runAll(
              calls,
              async (call) => {
                const { name, arguments: written } = call.function
                const input = JSON.parse(written) as { name: string; path: string }
                if (name === 'skill') return parts.activate(skills, input.name, task)
                if (name === 'read_skill_file') return parts.read(skills, input.name, input.path)
                const tool = task.tools.find((each) => each.name === name)
                return tool === undefined ? `Error: there is no tool ${name}.` : parts.run(tool, input, call.id)
              },
              skills,
            )
            for (const [index, content] of results.entries())
              messages.push({ role: 'tool', tool_call_id: calls[index]!.id, content })
          }
        },
      }
    },
  }
  return Object.assign(parts, change({ ...parts }))
}

function isOutside(folder: string, file: string): boolean {
  return relative(folder, file).startsWith('..')
}

/** A tool of the toy's own, whose arguments are texts. */
export function toolOf(name: string, description: string, fields: readonly string[]): FunctionTool {
  const properties = Object.fromEntries(fields.map((field) => [field, { type: 'string' }]))
  return {
    name,
    description,
    inputSchema: { type: 'object', properties, required: fields },
    execute: () => '',
  }
}

function wireTool({ name, description, inputSchema }: FunctionTool): unknown {
  return { type: 'function', function: { name, description, parameters: inputSchema } }
}
