import { answerInWords, type DeliveryRow, numbered, requestsTo, waitInWords } from '@hnotif/core/page';
import { duration, exactTime, zoneTitle } from '../common/time.ts';

/** The requests of a delivery: each with its answer, and what followed. */
export function Requests({ row, now }: { readonly row: DeliveryRow; readonly now: number }) {
  const { notification, requests = [], sink } = row;
  const id = `requests-${notification}-${sink}`;
  return (
    <section>
      <h3 id={id}>{requestsTo(row)}</h3>
      <div class="scroll" tabIndex={0} role="region" aria-labelledby={id}>
        <table>
          <thead>
            <tr>
              <th scope="col">Number</th>
              <th scope="col">{zoneTitle()}</th>
              <th scope="col">Took</th>
              <th scope="col">Answer</th>
              <th scope="col">Then</th>
            </tr>
          </thead>
          <tbody>
            {numbered(requests).map(([number, request]) => (
              <tr key={number}>
                <td>{number}</td>
                <td class="mono">{exactTime(Date.parse(request.at), now)}</td>
                <td>{duration(request.tookMs)}</td>
                <td class={request.reason === undefined ? undefined : 'state failed'}>
                  {answerInWords(request)}
                </td>
                <td>{waitInWords(request, duration)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
