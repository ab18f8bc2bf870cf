// Where one is: account, restaurant, environment. All stand in the address, so that two tabs may differ; the last choice is remembered.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { type Right, type Role, roleMay } from '#cloud/control/roles.ts'
import type { SessionAnswer } from '#cloud/control/session-answers.ts'
import { remember, remembered } from '#shared/ui/browser.ts'
import type { Environment } from './api.ts'
import { changedPlace, type PlaceSearch } from './place-search.ts'
import { useSession } from './session.ts'

export interface PlaceAccount {
  accountId: string
  name: string
  /** Null: an operator looks at it. */
  role: Role | null
  plan: string
  isLive: boolean
}

export interface Place {
  /** Null: the person is a member of none. */
  account: PlaceAccount | null
  accounts: readonly PlaceAccount[]
  environment: Environment
  /** As the API calls it, `M-...`. Null: none is chosen. */
  merchantId: string | null
  go: (to: Partial<PlaceSearch>) => void
}

const PlaceContext = createContext<Place | null>(null)

export function PlaceProvider({ children }: { children: ReactNode }) {
  const session = useSession()
  const search: PlaceSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const accounts = useMemo((): PlaceAccount[] => {
    const { viewing } = session
    const viewed = viewing ? [{ ...viewing, name: viewing.accountName, role: null, plan: '', isLive: true }] : []
    return [...viewed, ...session.accounts]
  }, [session])
  const wanted = search.account ?? remembered('ticketrail.account')
  const account = accounts.find(({ accountId }) => accountId === wanted) ?? accounts[0] ?? null
  const environment = search.environment ?? rememberedEnvironment(account)
  const merchantKey = account === null ? '' : `ticketrail.merchant.${account.accountId}.${environment}`
  const merchantId = search.merchant ?? remembered(merchantKey)
  useEffect(() => {
    if (account === null) return
    remember('ticketrail.account', account.accountId)
    remember(`ticketrail.environment.${account.accountId}`, environment)
    if (merchantId !== null) remember(merchantKey, merchantId)
  }, [account, environment, merchantId, merchantKey])
  const place = useMemo((): Place => {
    const now: PlaceSearch = {
      ...(account === null ? {} : { account: account.accountId }),
      ...(merchantId === null ? {} : { merchant: merchantId }),
      environment,
    }
    const go = (to: PlaceSearch) =>
      void navigate({ to: '.', search: (before: object) => ({ ...before, ...changedPlace(now, to) }) })
    return { account, accounts, environment, merchantId, go }
  }, [account, accounts, environment, merchantId, navigate])
  return <PlaceContext.Provider value={place}>{children}</PlaceContext.Provider>
}

/** The sandbox, until one has chosen otherwise. */
function rememberedEnvironment(account: PlaceAccount | null): Environment {
  if (account === null) return 'sandbox'
  return remembered(`ticketrail.environment.${account.accountId}`) === 'live' ? 'live' : 'sandbox'
}

export function usePlace(): Place {
  const place = useContext(PlaceContext)
  if (!place) throw new Error('usePlace outside of its provider')
  return place
}

/** Whether the person may do it here: buttons that would be refused are not shown. */
export function useMay(right: Right): boolean {
  return mayHere(usePlace(), useSession(), { right, kind: 'changes' })
}

/** Which pages the person may see here. */
export function useMayRead(): (right: Right) => boolean {
  const place = usePlace()
  const session = useSession()
  return (right) => mayHere(place, session, { right, kind: 'reads' })
}

interface Deed {
  right: Right
  kind: 'reads' | 'changes'
}

function mayHere({ account, environment }: Place, { person }: SessionAnswer, { right, kind }: Deed): boolean {
  if (right === 'self') return true
  if (right === 'operator') return person?.isOperator ?? false
  if (account === null) return false
  return account.role === null ? kind === 'reads' : roleMay(account.role, right, { kind, environment })
}
