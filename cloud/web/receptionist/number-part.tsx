// The telephone number: none yet, being connected, or answering; how to get one.
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { NumberAnswer } from '#cloud/control/number-list.ts'
import { setupWords } from '#cloud/web/messages/receptionist-setup.ts'
import { useChange, useRead } from '#cloud/web/operations.ts'
import { Answer } from '#cloud/web/parts/answer.tsx'
import { useMay, usePlace } from '#cloud/web/place.tsx'
import { usePageWords } from '#cloud/web/speech.tsx'
import { reasonIn } from '#cloud/web/texts/text-words.ts'
import { AskButton } from '#shared/ui/parts/ask-button.tsx'
import { NumberField, TextField } from '#shared/ui/parts/fields.tsx'
import { Form } from '#shared/ui/parts/form.tsx'
import { Mark, type Tone } from '#shared/ui/parts/mark.tsx'
import { Part } from '#shared/ui/parts/page.tsx'
import { Problem } from '#shared/ui/parts/problem.tsx'
import { shownNumber } from './caller-number.tsx'
import { asE164 } from './setup-draft.ts'

const TONES: Readonly<Record<NumberAnswer['state'], Tone>> = {
  wanted: 'warn',
  wiring: 'warn',
  wired: 'ok',
  failed: 'bad',
  unwiring: 'idle',
}
/** While one is being connected, or given up. */
const ASK_EVERY_MS = 1_500
/** While one waits for its next attempt. */
const WAITS_EVERY_MS = 15_000

/** The numbers of a restaurant; asked for again while something happens to one. */
export function useNumbers(merchantId: string) {
  const [everyMs, setEvery] = useState<number | false>(false)
  const numbers = useRead('numbers.list', { merchantId }, { everyMs })
  const tried = numbers.data?.numbers.filter(({ isTried }) => isTried) ?? []
  // One that failed may wait for its next attempt for hours.
  const isUnderWay = tried.some(({ error }) => error === null)
  const next = isUnderWay ? ASK_EVERY_MS : tried.length > 0 && WAITS_EVERY_MS
  if (next !== everyMs) setEvery(next)
  return numbers
}

export function NumberPart({ merchantId }: { merchantId: string }) {
  const t = usePageWords(setupWords)
  const { environment } = usePlace()
  const numbers = useNumbers(merchantId)
  const mayChange = useMay('kitchen')
  const mayBuy = useMay('govern')
  const mayAttach = useMay('operator')
  return (
    <Part title={t.number}>
      <Answer of={numbers} rows={1}>
        {({ numbers: all, provider }) => (
          <div className="stack">
            {all.length === 0 && <p>{t.numberNone}</p>}
            {all.length > 0 && (
              <ul className="card week">
                {all.map((number) => (
                  <li key={number.numberId} className="stack">
                    <NumberRow merchantId={merchantId} number={number} />
                  </li>
                ))}
              </ul>
            )}
            {environment === 'sandbox' && all.length === 0 && mayChange && <TestNumber merchantId={merchantId} />}
            {environment === 'live' && provider === null && <p>{t.numberNoCompany}</p>}
            {environment === 'live' && provider !== null && mayBuy && <WantNumber merchantId={merchantId} />}
            {environment === 'live' && provider !== null && mayAttach && <AttachNumber merchantId={merchantId} />}
          </div>
        )}
      </Answer>
    </Part>
  )
}

function NumberRow({ merchantId, number }: { merchantId: string; number: NumberAnswer }) {
  const t = usePageWords(setupWords)
  const { environment } = usePlace()
  const mayChange = useMay('kitchen')
  const mayGiveUp = useMay('govern')
  const retry = useChange('numbers.retry')
  const unwire = useChange('numbers.unwire')
  const { numberId, e164, wanted, state, error, provider, isTried } = number
  const name = shownNumber(e164 ?? ('number' in wanted ? wanted.number : t.numberWanted(wanted.areaCode)))
  return (
    <>
      <p className="number-row">
        <strong dir={e164 === null && !('number' in wanted) ? 'auto' : 'ltr'}>{name}</strong>{' '}
        <Mark tone={state === 'wired' && error !== null ? 'warn' : TONES[state]}>{t.numberStates[state]}</Mark>{' '}
        {provider === 'simulator' && <span className="soft">{t.numberSimulated}</span>}
      </p>
      {error !== null && (
        <p>
          {state === 'wired' && t.numberStale} {reasonIn(t.numberErrors, t.numberFailed, error)}{' '}
          {isTried && t.numberTried}
        </p>
      )}
      <div className="row-actions">
        {environment === 'sandbox' && state === 'wired' && (
          <Button component={Link} to="/receptionist/try" size="compact-md">
            {t.numberTry}
          </Button>
        )}
        {mayChange && error !== null && !isTried && (
          <Button
            variant="default"
            size="compact-md"
            loading={retry.isPending}
            onClick={() => retry.mutate({ merchantId, numberId })}
          >
            {t.numberRetry}
          </Button>
        )}
        {mayGiveUp && state !== 'unwiring' && (
          <AskButton
            size="compact-md"
            label={t.numberUnwire}
            question={t.numberUnwireAsk(name)}
            loading={unwire.isPending}
            act={() => unwire.mutate({ merchantId, numberId })}
          />
        )}
      </div>
      <Problem error={retry.error ?? unwire.error} />
    </>
  )
}

/** Of a test restaurant: free, and at once. */
export function TestNumber({ merchantId }: { merchantId: string }) {
  const t = usePageWords(setupWords)
  const get = useChange('numbers.simulate')
  return (
    <div className="stack">
      <p className="soft">{t.numberTestHint}</p>
      <p>
        <Button loading={get.isPending} onClick={() => get.mutate({ merchantId })}>
          {t.numberTest}
        </Button>
      </p>
      <Problem error={get.error} />
    </div>
  )
}

function WantNumber({ merchantId }: { merchantId: string }) {
  const t = usePageWords(setupWords)
  const [areaCode, setAreaCode] = useState('')
  const buy = useChange('numbers.want', () => setAreaCode(''))
  return (
    <div className="card">
      <Form
        label={t.numberBuy}
        act={() => buy.mutate({ merchantId, wanted: { areaCode } })}
        change={buy}
        isQuiet={areaCode === ''}
      >
        <NumberField
          name="wanted.areaCode"
          label={t.numberArea}
          description={t.numberBuyHint}
          required
          value={areaCode}
          set={setAreaCode}
        />
      </Form>
    </div>
  )
}

/** Any number of the operator's: nobody else knows which of them are free. */
function AttachNumber({ merchantId }: { merchantId: string }) {
  const t = usePageWords(setupWords)
  const [own, setOwn] = useState('')
  const connect = useChange('numbers.attach', () => setOwn(''))
  return (
    <div className="card">
      <Form
        label={t.numberConnect}
        act={() => connect.mutate({ merchantId, number: asE164(own) })}
        change={connect}
        isQuiet={own === ''}
      >
        <TextField
          name="number"
          type="tel"
          label={t.numberOwnField}
          description={t.numberOwnHint}
          required
          autoComplete="off"
          value={own}
          set={setOwn}
        />
      </Form>
    </div>
  )
}
