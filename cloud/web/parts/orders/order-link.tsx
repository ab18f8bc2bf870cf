// The number of an order, which leads to its page.
import { Link } from '@tanstack/react-router'
import { memo } from 'react'

interface OrderLinkProps {
  serviceOrderId: string
  /** The order's number, or another label. */
  number: string
  /** As large as the text around it. */
  isPlain?: boolean
}

/** Redrawn only for another order: a link is the most expensive part of a row. */
export const OrderLink = memo(function OrderLink({ serviceOrderId, number, isPlain = false }: OrderLinkProps) {
  return (
    <Link to="/orders/$id" params={{ id: serviceOrderId }} className={isPlain ? '' : 'order-number'}>
      <bdi>{number}</bdi>
    </Link>
  )
})
