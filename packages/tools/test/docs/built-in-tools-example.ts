import type { DatabaseSync } from 'node:sqlite'
import type { FunctionTool } from '@repertoire/core'
import { builtInTools } from '@repertoire/tools'

/** The tools of an agent that works in one project. */
export function projectTools(project: string, database: DatabaseSync): readonly FunctionTool[] {
  return builtInTools({
    http: { allow: ['api.github.com', '*.example.com'] },
    files: { roots: [project], protect: ['package-lock.json'] },
    command: { programs: ['git', 'ls'], roots: [project] },
    sql: { connection: database },
  })
}
