import { answerInWords, type DeliveryRow, numbered, requestsTo, waitInWords } from '@hnotif/core/page';
import { Table, timeColumn } from '../common/table.tsx';
import { duration } from '../common/time.ts';

/** The requests of a delivery: each with its answer, and what followed. */
export function Requests({ row, now }: { readonly row: DeliveryRow; readonly now: number }) {
  const { notification, requests = [], sink } = row;
  const id = `requests-${notification}-${sink}`;
  return (
    <section>
      <h3 id={id}>{requestsTo(row)}</h3>
      <Table
        heading={id}
        rows={numbered(requests).map(([number, request]) => ({ number, ...request }))}
        columns={[
          { title: 'Number', cell: ({ number }) => number },
          timeColumn(now),
          { title: 'Took', cell: ({ tookMs }) => duration(tookMs) },
          {
            title: 'Answer',
            look: ({ reason }) => (reason === undefined ? undefined : 'state failed'),
            cell: answerInWords,
          },
          { title: 'Then', look: 'words', cell: (request) => waitInWords(request, duration) },
        ]}
      />
    </section>
  );
}
