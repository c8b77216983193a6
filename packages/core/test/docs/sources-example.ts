import { type Repertoire, memorySource, openRepertoire } from '@repertoire/core'
import { openSkills, standardSources } from '@repertoire/core/node'

/** The skills of one folder. */
export const openFolder = (folder: string): Promise<Repertoire> => openSkills(folder)

/** The skills of the user and of a project, with one of the host's own behind them. */
export function openProject(project: string): Promise<Repertoire> {
  const greet = '---\nname: greet\ndescription: Greets the user by name.\n---\nSay hello.\n'
  return openRepertoire({
    sources: [
      ...standardSources({ project, home: true }),
      memorySource({ layer: 'bundled', id: 'my-app', skills: { greet: { 'SKILL.md': greet } } }),
    ],
  })
}
