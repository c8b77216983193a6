import { openRepertoire, type Repertoire, type SkillSource, type Summarizer } from '@repertoire/core'

/** A host that says how large its model's window is: long conversations are then kept within it. */
export function openForModel(sources: readonly SkillSource[], contextWindow: number): Promise<Repertoire> {
  return openRepertoire({ sources, context: { window: contextWindow } })
}

/** A host with a cheap model for summaries, which keeps more of what was said last. */
export function openWithSummaries(
  sources: readonly SkillSource[],
  askCheapModel: (system: string, prompt: string, signal: AbortSignal) => Promise<string>,
): Promise<Repertoire> {
  const summarize: Summarizer = ({ instructions, prompt }, { signal }) => askCheapModel(instructions, prompt, signal)
  return openRepertoire({
    sources,
    context: { window: 128_000, summaries: { summarizeAbove: 0.7, keepMessages: 20, summarize } },
  })
}
