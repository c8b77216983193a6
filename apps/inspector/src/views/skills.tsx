import { useState } from 'preact/hooks'
import type { SkillStory } from '../model/skills.ts'
import { FateMark } from '../parts/status.tsx'
import { Foreign } from '../parts/foreign.tsx'
import { useAnswer } from '../parts/use-answer.ts'
import { navigate, run } from '../state.ts'

/** Skills that are shown at once. */
const PAGE = 200

/** Why was my skill not used? One row for each skill. */
export function SkillsView() {
  const stories = useAnswer('skills', run.value?.id ?? '')
  const [most, setMost] = useState(PAGE)
  if (stories === undefined) return <p class="empty">Reading…</p>
  if (stories.length === 0) {
    return (
      <div class="empty">
        <h2>This run names no skill</h2>
        <p>Its catalog has none, or its agent made no step with a session. Ask what a folder has:</p>
        <pre>repertoire list .agents/skills</pre>
      </div>
    )
  }
  return (
    <div class="view scrolling" tabIndex={0} role="region" aria-label="Skills">
      <table class="skills">
        <thead>
          <tr>
            <th scope="col">Skill</th>
            <th scope="col">Fate</th>
            <th scope="col">Why, and what to do</th>
            <th scope="col" class="number">
              Tokens in the list
            </th>
          </tr>
        </thead>
        <tbody>
          {stories.slice(0, most).map((story) => (
            <SkillRow key={story.name} story={story} />
          ))}
        </tbody>
      </table>
      {stories.length > most && (
        <button type="button" onClick={() => setMost(most + PAGE)}>
          Show more of {stories.length} skills
        </button>
      )}
    </div>
  )
}

function SkillRow({ story }: { readonly story: SkillStory }) {
  const { name, fate, since, step, sentence, quoted, remedy, tokens } = story
  return (
    <tr data-fate={fate}>
      <th scope="row">
        <Foreign text={name} />
      </th>
      <td>
        <FateMark fate={fate} />
        <button type="button" class="link" onClick={() => navigate({ step, call: undefined })}>
          since step {since}
        </button>
      </td>
      <td>
        {quoted ? <Foreign text={sentence} /> : sentence}
        {remedy !== undefined && (
          <p>
            {remedy.say} <code>{remedy.code}</code>
          </p>
        )}
      </td>
      <td class="number">{tokens > 0 ? tokens.toLocaleString('en-US') : ''}</td>
    </tr>
  )
}
