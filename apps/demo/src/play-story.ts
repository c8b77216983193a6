import { type AdapterDriver, fixtureSkills, type ModelEndpoint, openModelEndpoint } from '@repertoire/conformance'
import { openRepertoire, type Repertoire } from '@repertoire/core'
import { virtualRunner } from '@repertoire/runners'
import { type Agreement, compareRecords } from './compare.ts'
import type { Audits } from './audits.ts'
import { ungated } from './fault.ts'
import { verifyLockedSkills } from './locked-skills.ts'
import type { AdapterRecord } from './record.ts'
import { received, runAdapter } from './run.ts'
import { COMMITS, decideInStory, SCRIPT, TASK } from './story.ts'
import { openWorkspaces, type Workspace } from './workspace.ts'

/** The result of the story. */
export interface Story {
  readonly task: string
  /** The adapter that was given a fault. */
  readonly broken?: string
  /** How many skills there are, each as its lock has it. */
  readonly skills: number
  /** Whether the folders were git repositories. */
  readonly withGit: boolean
  readonly adapters: readonly AdapterRecord[]
  readonly agreement: Agreement
  /** The files at the beginning. */
  readonly files: Readonly<Record<string, string>>
}

/** Plays the story through all adapters at once. `broken` is the adapter that gets a fault. */
export async function playStory(
  drivers: readonly AdapterDriver[],
  { audits, broken }: { readonly audits: Audits; readonly broken?: string },
): Promise<Story> {
  const skills = await verifyLockedSkills()
  const workspaces = await openWorkspaces()
  const endpoint = await openModelEndpoint()
  const runner = virtualRunner()
  try {
    const repertoire = await openRepertoire({
      sources: [fixtureSkills()],
      scripts: { runner },
      audit: audits.audit,
    })
    const adapters = await Promise.all(
      drivers.map(async (driver): Promise<AdapterRecord> => {
        const workspace = await workspaces.open(driver.name)
        const played = driver.name === broken ? ungated(driver) : driver
        const record = await playAdapter(played, { endpoint, repertoire, workspace })
        return { ...record, run: audits.runOf(driver.name), files: await workspace.files() }
      }),
    )
    return {
      task: TASK,
      broken,
      skills,
      withGit: workspaces.withGit,
      adapters,
      agreement: compareRecords(adapters),
      files: Object.assign({}, ...COMMITS.map(({ files }) => files)),
    }
  } finally {
    await runner.close?.()
    await endpoint.close()
    workspaces.remove()
  }
}

async function playAdapter(
  driver: AdapterDriver,
  stage: { readonly endpoint: ModelEndpoint; readonly repertoire: Repertoire; readonly workspace: Workspace },
): Promise<Omit<AdapterRecord, 'run'>> {
  const { endpoint, repertoire, workspace } = stage
  const [{ protocol }] = driver.variants
  const { baseURL, apiKey, model, requests, failures } = endpoint.play(SCRIPT, { protocol, form: driver.wire })
  const record = await runAdapter({
    driver,
    endpoint: { baseURL, apiKey, model },
    repertoire,
    tools: workspace.tools,
    folder: workspace.folder,
    task: TASK,
    decide: decideInStory,
  })
  // The endpoint's own failures explain more than what the framework made of them.
  const failure = failures[0] ?? record.failure
  return { ...record, requests: requests.map(received), ...(failure !== undefined && { failure }) }
}
