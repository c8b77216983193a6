import { useState } from 'preact/hooks'
import type { SkillStory, StepFate } from '../model/skills.ts'
import { FateMark } from '../parts/status.tsx'
import { Foreign } from '../parts/foreign.tsx'
import { useAnswer } from '../parts/use-answer.ts'
import { navigate, open, route, run, wordsOf } from '../state.ts'

/** Skills that are shown at once. */
const PAGE = 200

/** Why was my skill not used? One row for each skill. */
export function SkillsView() {
  const summary = run.value
  const stories = useAnswer('skills', summary?.id ?? '')
  const [most, setMost] = useState(PAGE)
  if (stories === undefined) return <p class="empty">Reading…</p>
  const words = wordsOf(route.value.query)
  const found = stories.filter(({ name, label, sentence }) => {
    const text = `${name} ${label} ${sentence}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
  if (found.length === 0) {
    return (
      <div class="empty">
        <p>{stories.length === 0 ? 'This run names no skill.' : 'No skill matches this search.'}</p>
        {stories.length > 0 && (
          <button type="button" onClick={() => navigate({ query: '' })}>
            Show all skills
          </button>
        )}
      </div>
    )
  }
  return (
    <div class="view scrolling" tabIndex={0} role="region" aria-label="Skills">
      {summary?.hasShown === false && (
        <p class="note">
          This log does not record what was shown in each step, so it cannot say why a skill was left out of the list.
        </p>
      )}
      <table class="skills">
        <thead>
          <tr>
            <th scope="col">Skill</th>
            <th scope="col">Fate</th>
            <th scope="col">Why</th>
            <th scope="col">What to do</th>
            <th scope="col" class="number">
              Tokens
            </th>
          </tr>
        </thead>
        <tbody>
          {found.slice(0, most).map((story) => (
            <SkillRow key={story.name} story={story} />
          ))}
        </tbody>
      </table>
      {found.length > most && (
        <button type="button" onClick={() => setMost(most + PAGE)}>
          Show more of {found.length} skills
        </button>
      )}
    </div>
  )
}

function SkillRow({ story }: { readonly story: SkillStory }) {
  const { name, fate, label, since, step, sentence, quoted, remedy, tokens, steps } = story
  return (
    <tr data-fate={fate}>
      <th scope="row">
        <Foreign text={name} />
        <Strip steps={steps} />
      </th>
      <td>
        <FateMark fate={fate} label={label} />
        <button type="button" class="link" onClick={() => open(step)}>
          since step {since}
        </button>
      </td>
      <td>{quoted ? <Foreign text={sentence} /> : sentence}</td>
      <td>
        {remedy.say}
        {remedy.copy !== '' && <code class="remedy">{remedy.copy}</code>}
      </td>
      <td class="number">{tokens > 0 ? tokens.toLocaleString('en-US') : ''}</td>
    </tr>
  )
}

/** Most steps of which the strip shows each. */
const STRIP_STEPS = 48

/** How a skill stood in each step, as a strip with a sentence for those who do not see it. */
function Strip({ steps }: { readonly steps: readonly StepFate[] }) {
  const pieces: { fate: StepFate; count: number }[] = []
  for (const fate of steps) {
    const last = pieces.at(-1)
    if (last?.fate === fate) last.count++
    else pieces.push({ fate, count: 1 })
  }
  const listed = steps.filter((fate) => fate !== 'left' && fate !== 'absent').length
  return (
    <span class="strip" role="img" aria-label={`listed or active in ${listed} of ${steps.length} steps`}>
      {pieces.slice(0, STRIP_STEPS).map(({ fate, count }, index) => (
        <span key={index} class={fate} style={{ flexGrow: count }} />
      ))}
    </span>
  )
}
