import { type AdapterDriver, fixtureSkills } from '@repertoire/conformance'
import { openRepertoire } from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'
import type { ComparedRow } from '@repertoire/inspector/compare'
import { UsageError } from 'repertoire/terminal'
import { createAudits } from './audits.ts'
import { compareAudits } from './compare.ts'
import type { TaskOptions } from './options.ts'
import type { AdapterRecord } from './record.ts'
import { runAdapter } from './run.ts'
import { ownFolderTools } from './tools/own-folder-tools.ts'

/** What came of a task of the user's. */
export interface PlayedTask {
  readonly task: string
  readonly model: string
  readonly baseURL: string
  /** The folder that the tools looked at. */
  readonly folder: string
  readonly yes: boolean
  readonly adapters: readonly AdapterRecord[]
  /** Whether all adapters were shown the same skills and tools at first. */
  readonly agreed: boolean
  readonly rows: readonly ComparedRow[]
}

/**
 * Runs a task of the user's with the user's model, in one adapter after the other: a local model is busy enough with
 * one. If the first one fails, the others are not tried.
 * @throws {UsageError} if there are no skills
 */
export async function playTask(
  { task, model, baseURL, apiKey, skills, yes }: TaskOptions,
  drivers: readonly AdapterDriver[],
  folder: string,
): Promise<PlayedTask> {
  const audits = createAudits()
  const repertoire = await openRepertoire({
    sources: [skills === undefined ? fixtureSkills() : directorySource({ root: skills })],
    audit: audits.audit,
  })
  const [problem] = repertoire.catalog.diagnostics.filter(({ severity }) => severity === 'error')
  if (repertoire.catalog.list().length === 0)
    throw new UsageError(
      `There is no skill in ${skills} that can be used. ${problem?.message ?? 'A skill is a folder with a file SKILL.md.'}`,
    )
  const adapters: AdapterRecord[] = []
  for (const driver of drivers) {
    const record = await runAdapter({
      driver,
      // SDKs insist on a key, also for endpoints that need none.
      endpoint: { baseURL, apiKey: apiKey ?? 'none', model },
      repertoire,
      tools: ownFolderTools(folder),
      folder,
      task,
      decide: () => (yes ? { approved: true } : { approved: false, reason: 'run the demo with --yes to agree' }),
    })
    adapters.push({ ...record, requests: [], run: audits.runOf(driver.name) })
    if (adapters[0]?.failure !== undefined) break
  }
  const rows = compareAudits(adapters)
  return {
    task,
    model,
    baseURL,
    folder,
    yes,
    adapters,
    agreed: adapters.every(({ failure }) => failure === undefined) && rows[0]?.length === 1,
    rows,
  }
}
