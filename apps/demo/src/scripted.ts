import {
  type AdapterDriver,
  fixtureSkills,
  type ModelEndpoint,
  openModelEndpoint,
  type ScriptStep,
} from '@repertoire/conformance'
import { isSkillError, openRepertoire, type ScriptRunner } from '@repertoire/core'
import { openBubblewrapRunner, virtualRunner } from '@repertoire/runners'
import { type Context, type ExitCode, toJson } from 'repertoire/terminal'
import { compareRuns, compareSandbox } from './compare.ts'
import { ungated } from './fault.ts'
import type { Recording } from './page/recording.ts'
import { INSTRUCTIONS } from './instructions.ts'
import { verifyLockedSkills } from './locked-skills.ts'
import { playAdapter } from './play-adapter.ts'
import type { AdapterRecord } from './record.ts'
import { scriptedText } from './render/scripted-text.ts'
import { screenOf } from './render/screen.ts'
import type { SandboxResult, ScriptedResult } from './scripted-result.ts'
import { COMMITS, decideInStory, SANDBOX_SCRIPT, SCRIPT, TASK } from './story.ts'
import { openWorkspaces, type Workspace } from './workspace.ts'

/** Options of the story. */
export interface ScriptedOptions {
  readonly drivers: readonly AdapterDriver[]
  readonly stream: boolean
  readonly json: boolean
  /** The adapter that gets a fault. Default: none. */
  readonly broken?: string
  /** Default: bubblewrap. Rejects with a `SkillError` where the sandbox does not work. */
  readonly openSandbox?: OpenSandbox
  /** Records the audit of every adapter. Default: there is no audit. */
  readonly recording?: Recording
}

type OpenSandbox = () => Promise<ScriptRunner>

/** Plays the story through the adapters and prints it. */
export async function tellStory(options: ScriptedOptions, context: Context): Promise<ExitCode> {
  return printStory(await playStory(options), options, context)
}

/** Prints what was played. Returns 1 if an adapter failed, or differs from the others. */
export async function printStory(
  result: ScriptedResult,
  options: Pick<ScriptedOptions, 'json'>,
  { stdout }: Context,
): Promise<ExitCode> {
  await stdout.write(options.json ? toJson({ mode: 'scripted', ...result }) : scriptedText(result, screenOf(stdout)))
  const scenes = 'absent' in result.sandbox ? [result] : [result, result.sandbox]
  const isGood = scenes.every(
    ({ adapters, agreement }) => agreement.agreed && adapters.every(({ failure }) => failure === undefined),
  )
  return isGood ? 0 : 1
}

/** Keeps the story off the network: with certain environment variables, LangChain sends every run to LangSmith. */
export function withoutTracing(env: Record<string, string | undefined>): void {
  for (const name of TRACING) delete env[name]
}

const TRACING = ['LANGSMITH_TRACING', 'LANGSMITH_TRACING_V2', 'LANGCHAIN_TRACING', 'LANGCHAIN_TRACING_V2'] as const

/** Plays the story through the adapters. */
export async function playStory(options: ScriptedOptions): Promise<ScriptedResult> {
  const { drivers, stream, broken, openSandbox, recording } = options
  const skills = await verifyLockedSkills()
  const workspaces = await openWorkspaces()
  const endpoint = await openModelEndpoint()
  const runner = virtualRunner()
  try {
    const stage: Stage = { drivers: [], stream, endpoint, recording }
    for (const driver of drivers) {
      const played = driver.name === broken ? ungated(driver) : driver
      stage.drivers.push({ driver: played, ...(await workspaces.open(driver.name)) })
    }
    const records = await playScript(stage, SCRIPT, runner)
    const adapters = await Promise.all(
      records.map(async (record, index) => ({ ...record, files: await stage.drivers[index]!.files() })),
    )
    return {
      task: TASK,
      broken,
      skills,
      withGit: workspaces.withGit,
      runner: namesOf(runner),
      adapters,
      agreement: compareRuns(adapters),
      files: Object.assign({}, ...COMMITS.map(({ files }) => files)),
      sandbox: await playInSandbox(stage, adapters, openSandbox),
    }
  } finally {
    await runner.close?.()
    await endpoint.close()
    workspaces.remove()
  }
}

/** What all of the story is played on. */
interface Stage {
  readonly drivers: (Workspace & { readonly driver: AdapterDriver })[]
  readonly stream: boolean
  readonly endpoint: ModelEndpoint
  readonly recording?: Recording
}

/** Plays a script through all adapters at once. */
async function playScript(
  { drivers, stream, endpoint, recording }: Stage,
  script: readonly ScriptStep[],
  runner: ScriptRunner,
  scene?: string,
): Promise<readonly AdapterRecord[]> {
  const repertoire = await openRepertoire({ sources: [fixtureSkills()], scripts: { runner }, audit: recording?.audit })
  return Promise.all(
    drivers.map(async ({ driver, folder, tools }) =>
      playAdapter(endpoint, script, {
        driver,
        stream,
        repertoire,
        session: recording?.session(driver.name, scene),
        tools,
        folder,
        instructions: INSTRUCTIONS,
        task: TASK,
        decide: decideInStory,
      }),
    ),
  )
}

/** Runs the story's script once more in the system's sandbox, if that works here. */
async function playInSandbox(
  stage: Stage,
  story: readonly AdapterRecord[],
  open: OpenSandbox = openBubblewrapRunner,
): Promise<SandboxResult> {
  let runner: ScriptRunner
  try {
    runner = await open()
  } catch (error) {
    if (!isSkillError(error)) throw error
    return { absent: error.message }
  }
  try {
    const adapters = await playScript(stage, SANDBOX_SCRIPT, runner, 'sandbox')
    return { runner: namesOf(runner), adapters, agreement: compareSandbox(adapters, story) }
  } finally {
    await runner.close?.()
  }
}

function namesOf({ name, isolation }: ScriptRunner): Pick<ScriptRunner, 'name' | 'isolation'> {
  return { name, isolation }
}
