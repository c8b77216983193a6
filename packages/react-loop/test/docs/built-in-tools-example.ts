import { type ConsentHandler, openRepertoire } from '@repertoire/core'
import { standardSources } from '@repertoire/core/node'
import { createReActLoop, openAICompatible, type OpenAICompatibleOptions } from '@repertoire/react-loop'
import { virtualRunner } from '@repertoire/runners'
import { builtInTools } from '@repertoire/tools'

/** Works in one project: with its skills, whose scripts run in the virtual shell, and with its files. */
export async function work(
  endpoint: OpenAICompatibleOptions,
  project: string,
  message: string,
  consent: ConsentHandler,
) {
  const repertoire = await openRepertoire({
    sources: standardSources({ project }),
    scripts: { runner: virtualRunner() },
  })
  return repertoire.runTask({ consent, cwd: project }, async (session) => {
    const tools = builtInTools({ http: false, files: { roots: [project] } })
    const loop = createReActLoop({ model: openAICompatible(endpoint), session, tools })
    return (await loop.run(message)).text
  })
}
