/** Answers a message as a process that knows nothing of the conversation but what was saved. */
import type { Play } from '@repertoire/conformance'
import type { SavedSession } from '@repertoire/core'
import process from 'node:process'
import { skillsQuery } from '../src/index.ts'
import { last, open, optionsFor } from './task.ts'

/** What a process is told. Crosses as JSON. */
export interface Job {
  readonly skills: Readonly<Record<string, string>>
  readonly model: Pick<Play, 'baseURL' | 'apiKey' | 'model'>
  readonly home: string
  readonly say: string
  readonly saved?: Report
}

/** What came of it, and what the next process needs. */
export interface Report {
  readonly resume: string
  readonly session: SavedSession
  readonly active: readonly string[]
}

async function carryOut({ skills, model, home, say, saved }: Job): Promise<Report> {
  const repertoire = await open(skills)
  const session = repertoire.openSession({ consent: () => true, saved: saved?.session })
  const resume = saved && { resume: saved.resume }
  const options = { ...optionsFor(model, home), tools: ['Bash'], allowedTools: ['Bash'], ...resume }
  const result = await last(skillsQuery(session, say, { options }))
  return { resume: result.session_id, session: session.save(), active: session.activeSkills }
}

process.on('message', async (job: Job) => void process.send!(await carryOut(job)))
