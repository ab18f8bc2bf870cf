// The chosen account, restaurant and environment. All are in the address, so that two tabs may differ; the last choice is remembered.
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { type Right, type Role, roleMay } from '#cloud/control/roles.ts'
import type { SessionAnswer } from '#cloud/control/session-answers.ts'
import type { WorkspaceMerchantAnswer } from '#cloud/control/workspace-list.ts'
import { remember, remembered } from '#shared/ui/browser.ts'
import { type Environment, perform } from './api.ts'
import { changedPlace, type PlaceSearch } from './place-search.ts'
import { useSession } from './session.ts'

export interface PlaceAccount {
  accountId: string
  name: string
  /** Null: an operator views the account. */
  role: Role | null
  plan: string
  isLive: boolean
}

export interface Place {
  /** Null: the person is a member of none, or not of the one that the address names. */
  account: PlaceAccount | null
  accounts: readonly PlaceAccount[]
  environment: Environment
  /** As the API calls it, `M-...`. Null: there is none here. */
  merchantId: string | null
  /** Null: there is none here, or none that the account has or was granted. */
  merchant: WorkspaceMerchantAnswer | null
  /** Of this environment, by name. */
  merchants: readonly WorkspaceMerchantAnswer[]
  /** False while it is not known yet which restaurants there are: pages wait. */
  isKnown: boolean
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
  const named = accounts.find(({ accountId }) => accountId === wanted)
  // The account in an address is never replaced by another: nobody may change another account than the one that a link names.
  const account = named ?? (search.account === undefined ? (accounts[0] ?? null) : null)
  const environment = search.environment ?? rememberedEnvironment(account)
  const merchantKey = account === null ? '' : `ticketrail.merchant.${account.accountId}.${environment}`
  const { merchants, isKnown } = useMerchants(account, environment)
  // The restaurant in an address is never replaced: a person without access to it gets a message. A remembered one may be gone.
  const before = remembered(merchantKey)
  const isThere = merchants.some((merchant) => merchant.merchantId === before)
  const merchantId = search.merchant ?? (isKnown && !isThere ? (merchants[0]?.merchantId ?? null) : before)
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
    const merchant = merchants.find((one) => one.merchantId === merchantId) ?? null
    return { account, accounts, environment, merchantId, merchant, merchants, isKnown, go }
  }, [account, accounts, environment, merchantId, merchants, isKnown, navigate])
  return <PlaceContext.Provider value={place}>{children}</PlaceContext.Provider>
}

const NONE: readonly WorkspaceMerchantAnswer[] = []

/** The restaurants of the account in this environment. */
function useMerchants(account: PlaceAccount | null, environment: Environment) {
  const accountId = account?.accountId ?? null
  const { data, isError } = useQuery({
    queryKey: ['workspace', 'workspace.get', accountId],
    queryFn: () => perform('workspace.get', {}, { accountId, environment }),
    enabled: accountId !== null,
    staleTime: 60_000,
  })
  const merchants = useMemo(
    () => data?.merchants.filter((merchant) => merchant.environment === environment) ?? NONE,
    [data, environment],
  )
  return { merchants, isKnown: accountId === null || data !== undefined || isError }
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
