import { type AdapterDriver, fixtureSkills, openModelEndpoint } from '@repertoire/conformance'
import { openRepertoire } from '@repertoire/core'
import { type Context, type ExitCode, toJson } from 'repertoire/terminal'
import { compareRuns } from './compare.ts'
import { INSTRUCTIONS } from './instructions.ts'
import type { AdapterRecord } from './record.ts'
import { scriptedText } from './render/scripted-text.ts'
import { screenOf } from './render/screen.ts'
import { runAdapter } from './run.ts'
import type { ScriptedResult } from './scripted-result.ts'
import { COMMITS, decideInStory, SCRIPT, TASK } from './story.ts'
import { openWorkspaces } from './workspace.ts'

/** Options of the story. */
export interface ScriptedOptions {
  readonly drivers: readonly AdapterDriver[]
  readonly stream: boolean
  readonly json: boolean
}

/** Plays the story through the adapters and prints it. */
export async function tellStory({ drivers, stream, json }: ScriptedOptions, { stdout }: Context): Promise<ExitCode> {
  const result = await playStory(drivers, stream)
  await stdout.write(json ? toJson({ mode: 'scripted', ...result }) : scriptedText(result, screenOf(stdout)))
  const failed = result.adapters.some(({ failure }) => failure !== undefined)
  return result.agreement.agreed && !failed ? 0 : 1
}

/** Keeps the story off the network: with certain environment variables, LangChain sends every run to LangSmith. */
export function withoutTracing(env: Record<string, string | undefined>): void {
  for (const name of TRACING) delete env[name]
}

const TRACING = ['LANGSMITH_TRACING', 'LANGSMITH_TRACING_V2', 'LANGCHAIN_TRACING', 'LANGCHAIN_TRACING_V2'] as const

async function playStory(drivers: readonly AdapterDriver[], stream: boolean): Promise<ScriptedResult> {
  const repertoire = await openRepertoire({ sources: [fixtureSkills()] })
  const workspaces = await openWorkspaces()
  const endpoint = await openModelEndpoint()
  try {
    const records = await Promise.all(
      drivers.map(async (driver): Promise<AdapterRecord> => {
        const { folder, tools, files } = await workspaces.open(driver.name)
        const { baseURL, apiKey, model, requests, failures } = endpoint.play(SCRIPT)
        const record = await runAdapter({
          driver,
          stream,
          endpoint: { baseURL, apiKey, model },
          requests,
          repertoire,
          tools,
          folder,
          instructions: INSTRUCTIONS,
          task: TASK,
          decide: decideInStory,
        })
        // The endpoint's own failures explain more than what the framework made of them.
        const failure = failures[0] ?? record.failure
        return { ...record, ...(failure !== undefined && { failure }), files: await files() }
      }),
    )
    return {
      task: TASK,
      withGit: workspaces.withGit,
      adapters: records,
      agreement: compareRuns(records),
      files: Object.assign({}, ...COMMITS.map(({ files }) => files)),
    }
  } finally {
    await endpoint.close()
    workspaces.remove()
  }
}
