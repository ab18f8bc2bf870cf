// Changes to access require a fresh password or passkey. A dialog asks for it; then the change continues by itself, and nothing that was typed is lost.
import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useState } from 'react'
import { ApiError } from '#shared/ui/api.ts'

const StepUpDialog = lazy(async () => ({ default: (await import('./sign-in/step-up-dialog.tsx')).StepUpDialog }))

/** Runs the call; if the relay requires it, asks for the password or passkey and runs the call again. @throws ApiError of the call */
export type StepUp = <T>(call: () => Promise<T>) => Promise<T>

const StepUpContext = createContext<StepUp>((call) => call())

export function StepUpProvider({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<{ answer: (isShown: boolean) => void } | null>(null)
  const stepUp = useCallback(async <T,>(call: () => Promise<T>): Promise<T> => {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'elevate') throw error
      const isShown = await new Promise<boolean>((answer) => setAsked({ answer }))
      setAsked(null)
      if (!isShown) throw error
      return await call()
    }
  }, [])
  return (
    <StepUpContext value={stepUp}>
      {children}
      {asked && (
        <Suspense fallback={null}>
          <StepUpDialog done={() => asked.answer(true)} cancel={() => asked.answer(false)} />
        </Suspense>
      )}
    </StepUpContext>
  )
}

export const useStepUp = (): StepUp => useContext(StepUpContext)
