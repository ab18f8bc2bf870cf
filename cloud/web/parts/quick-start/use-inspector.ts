// The inspector of the first steps: it takes the place of a server, and must be open before the order leaves, or the first webhook is lost.
import { useChange, useRead } from '#cloud/web/operations.ts'
import { useMay } from '#cloud/web/place.tsx'
import type { ApiError } from '#shared/ui/api.ts'

export interface Inspector {
  /** Null: not known yet. */
  isOpen: boolean | null
  mayOpen: boolean
  /** Opens it where it is not and the role may; then, or where that is not possible, goes on. */
  open: (then?: () => void) => void
  isOpening: boolean
  error: ApiError | null
}

export function useInspector(merchantId: string): Inspector {
  const mayOpen = useMay('build')
  const endpoints = useRead('endpoints.list', { merchantId }, { enabled: mayOpen })
  const change = useChange('inspector.open')
  const isOpen =
    change.isSuccess || (endpoints.data === undefined ? null : endpoints.data.some(({ kind }) => kind === 'inspector'))
  return {
    ...{ isOpen, mayOpen, isOpening: change.isPending, error: change.error ?? endpoints.error },
    open: (then = () => undefined) => {
      if (isOpen === true || !mayOpen) then()
      else change.mutate({ merchantId }, { onSuccess: then })
    },
  }
}
