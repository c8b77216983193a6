import type { AdapterDriver, CallStep, ModelEndpoint, ScriptStep } from '@repertoire/conformance'
import { openRepertoire } from '@repertoire/core'
import { directorySource } from '@repertoire/core/node'
import { appendFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { INSTRUCTIONS } from '../instructions.ts'
import { LOCKED_PROJECT } from '../locked-skills.ts'
import { playAdapter } from '../play-adapter.ts'
import type { AdapterRecord } from '../record.ts'
import type { Recording } from './recording.ts'

const SKILL = 'safe-edit'

/** What the scene is played with. */
export interface ChangedByteOptions {
  readonly driver: AdapterDriver
  readonly stream: boolean
  readonly endpoint: ModelEndpoint
  readonly recording: Recording
  /** An empty folder. The skill is copied into it. */
  readonly folder: string
}

/**
 * Activates a skill three times. The second time nobody is asked: the answer holds. Before the third, one byte is added to
 * a file of the skill, so a person is asked again.
 */
export async function playChangedByte(options: ChangedByteOptions): Promise<AdapterRecord> {
  const { driver, stream, endpoint, recording, folder } = options
  await cp(join(LOCKED_PROJECT, 'skills', SKILL), join(folder, SKILL), { recursive: true })
  const repertoire = await openRepertoire({ sources: [directorySource({ root: folder })], audit: recording.audit })
  const script: readonly ScriptStep[] = [
    activate(),
    deactivate(),
    activate(),
    deactivate(),
    () => {
      appendFileSync(join(folder, SKILL, 'SKILL.md'), '\n')
      return activate()
    },
    { text: 'The skill has changed, so you were asked again.' },
  ]
  return playAdapter(endpoint, script, {
    driver,
    stream,
    repertoire,
    session: recording.session(driver.name, 'changed-byte'),
    tools: [],
    folder,
    instructions: INSTRUCTIONS,
    task: 'Activate safe-edit, as often as the script says.',
    decide: async () => ({ approved: true }),
  })
}

function activate(): CallStep {
  return { calls: [{ tool: 'activate_skill', input: { name: SKILL } }] }
}

function deactivate(): CallStep {
  return { calls: [{ tool: 'deactivate_skill', input: {} }] }
}
