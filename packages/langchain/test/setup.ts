import { type INTERRUPT, type Interrupt, MemorySaver } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import type { Play, ScriptStep, WireRequest } from '@repertoire/conformance'
import {
  type ConsentRequest,
  memorySource,
  openRepertoire,
  type Repertoire,
  type RepertoireOptions,
  type ScriptRunner,
} from '@repertoire/core'
import { tool } from 'langchain'

export { activate, call, lastRefusal as refusalOf, lastResult as resultOf } from '@repertoire/conformance'

/** The skills of the tests, as files. */
export const SKILLS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  editing: {
    'SKILL.md':
      '---\nname: editing\ndescription: Edits texts.\nallowed-tools: Read Write(docs/**)\n---\nEdit with care.\n',
    'references/style.md': 'Short sentences.\n',
  },
  history: {
    'SKILL.md':
      '---\nname: history\ndescription: Reads the history.\nallowed-tools: Bash(git:*)\n---\nQuote the commit.\n',
  },
  searching: {
    'SKILL.md': '---\nname: searching\ndescription: Searches.\nallowed-tools: web_search\n---\nSearch well.\n',
  },
  free: { 'SKILL.md': '---\nname: free\ndescription: Restricts nothing.\n---\nDo as you like.\n' },
}

export function openSkills(options: Partial<RepertoireOptions> = {}): Promise<Repertoire> {
  return openRepertoire({ sources: [memorySource({ layer: 'project', id: 'tests', skills: SKILLS })], ...options })
}

export function modelOf({ baseURL, apiKey, model }: Play): ChatOpenAI {
  return new ChatOpenAI({ model, apiKey, configuration: { baseURL }, maxRetries: 0 })
}

/** A host tool that ran, and with what. */
export type Run = readonly [tool: string, input: unknown]

/** The host's tools: each notes its run and says so. */
export function hostTools(runs: Run[] = []) {
  const noting = (name: string, parameter: string) =>
    tool(
      (input: unknown) => {
        runs.push([name, input])
        return `${name} ran with ${JSON.stringify(input)}`
      },
      {
        name,
        description: `The tool ${name}.`,
        schema: { type: 'object', properties: { [parameter]: { type: 'string' } }, required: [parameter] },
      },
    )
  return [noting('Bash', 'command'), noting('Read', 'file_path'), noting('Write', 'file_path')]
}

/** The host's part of an agent that keeps its threads: a model that plays a script, the tools and a checkpointer. */
export function hostOf(play: Play, runs?: Run[]) {
  return { model: modelOf(play), tools: hostTools(runs), checkpointer: new MemorySaver() }
}

export function user(content: string) {
  return { messages: [{ role: 'user' as const, content }] }
}

export function thread(id: string) {
  return { configurable: { thread_id: id } }
}

export const say: ScriptStep = { text: 'Done.' }

export function offered(request: WireRequest | undefined): readonly string[] {
  return request?.tools.map(({ name }) => name) ?? []
}

/** What a run waits for, as `invoke` gives it. */
export function questionsOf(result: object): readonly { readonly id: string; readonly value: ConsentRequest }[] {
  const { __interrupt__ = [] } = result as { readonly [INTERRUPT]?: readonly Interrupt<ConsentRequest>[] }
  return __interrupt__.map(({ id = '', value }) => {
    if (value === undefined) throw new Error(`The interrupt ${id} has no value.`)
    return { id, value }
  })
}

/** A runner that starts nothing, and tells each script. */
export function tellingRunner(scripts: string[]): ScriptRunner {
  return {
    name: 'telling',
    isolation: { name: 'none', isolated: false, notes: [] },
    supports: () => true,
    async run({ script }) {
      scripts.push(script)
      const none = new Uint8Array()
      return {
        end: 'exited',
        exitCode: 0,
        stdout: none,
        stderr: none,
        dropped: { stdout: 0, stderr: 0 },
        durationMs: 1,
      }
    },
  }
}
