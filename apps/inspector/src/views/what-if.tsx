import { useState } from 'preact/hooks'
import { NO_CHANGES, NO_INPUT, type Rejudged, type WhatIfSettings } from '../model/what-if-settings.ts'
import { count } from '../model/words.ts'
import { Foreign } from '../parts/foreign.tsx'
import { Rows } from '../parts/rows.tsx'
import { Status } from '../parts/status.tsx'
import { useAnswer } from '../parts/use-answer.ts'
import { enterDetail, run, select } from '../state.ts'

/** The same log, judged again by the gate under other settings. Nothing is run. */
export function WhatIfView() {
  const [settings, setSettings] = useState<WhatIfSettings>(NO_CHANGES)
  const [turn, setTurn] = useState(0)
  const [onlyChanged, setOnlyChanged] = useState(false)
  const id = run.value?.id ?? ''
  const judged = useAnswer('whatIf', id, settings)
  const skills = useAnswer('activeSkills', id) ?? []
  const change = (changes: Partial<WhatIfSettings>): void => setSettings({ ...settings, ...changes })
  return (
    <div class="view what-if">
      <form
        class="settings"
        key={turn}
        aria-label="Judge under"
        onSubmit={(event) => {
          event.preventDefault()
        }}
      >
        <label class="field">
          Mode
          <select
            value={settings.mode}
            onChange={({ currentTarget: { value } }) => change({ mode: value as WhatIfSettings['mode'] })}
          >
            {(['restrict', 'preapprove', 'advisory'] as const).map((mode) => (
              <option key={mode} value={mode}>
                {mode}
              </option>
            ))}
          </select>
        </label>
        <p class="note">Rules of your policy, one in each line:</p>
        <Rules
          label="allow"
          hint="every tool"
          value={settings.allow ?? []}
          onChange={(allow) => change({ allow: allow.length === 0 ? undefined : allow })}
        />
        <Rules
          label="deny"
          hint="such as Bash(git push:*)"
          value={settings.deny}
          onChange={(deny) => change({ deny })}
        />
        <Rules label="ask" hint="such as Write" value={settings.ask} onChange={(ask) => change({ ask })} />
        <Rules
          label="protect"
          hint="such as .env"
          value={settings.protect}
          onChange={(protect) => change({ protect })}
        />
        {skills.length > 0 && (
          <fieldset class="choices">
            <legend>Skills whose rules count</legend>
            {skills.map((name) => (
              <label key={name}>
                <input
                  type="checkbox"
                  checked={!settings.without.includes(name)}
                  onChange={({ currentTarget: { checked } }) =>
                    change({
                      without: checked
                        ? settings.without.filter((other) => other !== name)
                        : [...settings.without, name],
                    })
                  }
                />
                <Foreign text={name} />
              </label>
            ))}
          </fieldset>
        )}
        <button
          type="button"
          onClick={() => {
            setSettings(NO_CHANGES)
            setTurn(turn + 1)
          }}
        >
          Reset
        </button>
      </form>
      <Judged judged={judged} onlyChanged={onlyChanged} setOnlyChanged={setOnlyChanged} />
    </div>
  )
}

interface JudgedProps {
  readonly judged: { readonly calls: readonly Rejudged[]; readonly problem?: string } | undefined
  readonly onlyChanged: boolean
  readonly setOnlyChanged: (only: boolean) => void
}

function Judged({ judged, onlyChanged, setOnlyChanged }: JudgedProps) {
  const [active, setActive] = useState(-1)
  if (judged === undefined) return <p class="empty">Judging…</p>
  if (judged.problem !== undefined) {
    return (
      <p class="problem" role="alert">
        {judged.problem}
      </p>
    )
  }
  const { calls } = judged
  const withoutInput = calls.filter(({ reason }) => reason === NO_INPUT).length
  const changed = calls.filter((call) => call.changed).length
  const shown = onlyChanged && changed > 0 ? calls.filter((call) => call.changed) : calls
  const go = (index: number): void => {
    const judgement = shown[index]
    if (judgement !== undefined) void select({ kind: 'call', step: judgement.step, item: judgement.call })
  }
  return (
    <div class="judged">
      <p class="note" role="status">
        {changed === 0
          ? 'No verdict changes.'
          : `${changed} of ${count(calls.length, 'verdict')} ${changed === 1 ? 'changes' : 'change'}. `}
        {changed > 0 && (
          <label>
            <input
              type="checkbox"
              checked={onlyChanged}
              onChange={({ currentTarget: { checked } }) => setOnlyChanged(checked)}
            />{' '}
            Only these
          </label>
        )}
      </p>
      {withoutInput > 0 && (
        <p class="note">
          {count(withoutInput, 'call')} cannot be judged again without an input. An audit records inputs with{' '}
          <code>
            audit: {'{'} sink, inputs: 'redacted' {'}'}
          </code>
        </p>
      )}
      <p class="note">
        A skill's <code>disallowed-tools</code> and the host's own policy are not in a log: only what you enter here is
        judged.
      </p>
      {shown.length === 0 ? (
        <p class="empty">This run has no call of a tool that the gate judges.</p>
      ) : (
        <Rows
          id="judged"
          label="Calls, judged again"
          role="listbox"
          count={shown.length}
          height={44}
          active={active}
          onActive={(index) => {
            setActive(index)
            go(index)
          }}
          onOpen={(_, byKey) => byKey && enterDetail()}
          rowProps={(index) => ({ 'data-differs': shown[index]!.changed })}
          render={(index) => <JudgedRow call={shown[index]!} />}
        />
      )}
    </div>
  )
}

function JudgedRow({ call: { recorded, verdict, reason, by, text } }: { readonly call: Rejudged }) {
  return (
    <span class="judged-row">
      <span class="verdicts">
        <Status status={recorded} />
        <span aria-hidden="true">→</span>
        <span class="hidden-text">would be</span>
        <Status status={verdict} />
      </span>
      <span class="text">
        <Foreign text={text} />
      </span>
      <span class="why">
        {by !== '' && <code>{by}</code>} {reason !== '' && <Foreign text={reason} />}
      </span>
    </span>
  )
}

interface RulesProps {
  readonly label: string
  readonly hint: string
  readonly value: readonly string[]
  readonly onChange: (rules: readonly string[]) => void
}

/** Rules, one in each line. */
function Rules({ label, hint, value, onChange }: RulesProps) {
  return (
    <label class="field">
      {label}
      <textarea
        rows={2}
        placeholder={hint}
        spellcheck={false}
        defaultValue={value.join('\n')}
        onInput={({ currentTarget }) =>
          onChange(currentTarget.value.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()])))
        }
      />
    </label>
  )
}
