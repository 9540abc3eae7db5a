{{/* The name of all objects. */}}
{{- define "hnotif.fullname" -}}
{{- $name := .Release.Name -}}
{{- if not (contains .Chart.Name $name) }}{{ $name = printf "%s-%s" $name .Chart.Name }}{{ end -}}
{{- .Values.fullnameOverride | default $name | trunc 50 | trimSuffix "-" -}}
{{- end }}

{{- define "hnotif.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ quote .Release.Name }}
{{- end }}

{{- define "hnotif.labels" -}}
{{ include "hnotif.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{/* Metadata of a namespaced object. The argument is a list: the root, and a suffix of the name (may be empty). */}}
{{- define "hnotif.metadata" -}}
{{- $root := index . 0 -}}
name: {{ print (include "hnotif.fullname" $root) (index . 1) | quote }}
namespace: {{ quote $root.Release.Namespace }}
labels:
  {{- include "hnotif.labels" $root | nindent 2 }}
{{- end }}

{{/* The same for a cluster-wide object. */}}
{{- define "hnotif.clusterMetadata" -}}
{{- $root := index . 0 -}}
name: {{ print (include "hnotif.fullname" $root) (index . 1) | quote }}
labels:
  {{- include "hnotif.labels" $root | nindent 2 }}
{{- end }}

{{- define "hnotif.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default (include "hnotif.fullname" .) -}}
{{- else -}}
{{- required "serviceAccount.name is needed with serviceAccount.create=false" .Values.serviceAccount.name -}}
{{- end -}}
{{- end }}

{{/* The subjects of every binding. */}}
{{- define "hnotif.subjects" -}}
- kind: ServiceAccount
  name: {{ include "hnotif.serviceAccountName" . | quote }}
  namespace: {{ quote .Release.Namespace }}
{{- end }}

{{- define "hnotif.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{/* The flags of `hnotif run`. */}}
{{- define "hnotif.args" -}}
- run
- --instance={{ .Values.instance }}
- --api-group={{ .Values.apiGroup }}
{{- with .Values.planResource }}
- --plan-resource={{ . }}
{{- end }}
{{- with .Values.clusterName }}
- --cluster-name={{ . }}
{{- end }}
{{- with .Values.watchNamespaces }}
- --watch-namespaces={{ join "," . }}
{{- end }}
- --cross-namespace-connectors={{ .Values.crossNamespaceConnectors }}
{{- with .Values.egress.allow }}
- --egress-allow={{ join "," . }}
{{- end }}
{{- with .Values.egress.deny }}
- --egress-deny={{ join "," . }}
{{- end }}
{{- if .Values.egress.showPrivateAnswers }}
- --show-private-answers
{{- end }}
{{- if or .Values.extraCA.configMap .Values.extraCA.secret }}
- --ca-file=/etc/hnotif/ca/{{ .Values.extraCA.key }}
{{- end }}
{{- if .Values.metrics.auth }}
- --metrics-auth
{{- end }}
- --drain-timeout={{ int .Values.drainTimeoutSeconds }}s
- --nights-kept={{ int .Values.nightsKeptHours }}h
- --log-level={{ .Values.log.level }}
- --log-format={{ .Values.log.format }}
{{- with .Values.extraArgs }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The rights of hnotif in the watched namespaces: for a ClusterRole, or for a Role in each namespace. */}}
{{- define "hnotif.rules" -}}
{{- $group := .Values.apiGroup -}}
{{- $plans := "hibernateplans" -}}
{{- with .Values.planResource -}}
{{- $parts := splitList "." . -}}
{{- $plans = first $parts -}}
{{- $group = slice $parts 2 | join "." -}}
{{- end -}}
# The watched resources.
- apiGroups: [{{ .Values.apiGroup }}]
  resources: [hibernatenotifications]
  verbs: [list, watch]
- apiGroups: [{{ $group }}]
  resources: [{{ $plans }}, cloudproviders, k8sclusters]
  verbs: [list, watch]
# The status of a notification.
- apiGroups: [{{ .Values.apiGroup }}]
  resources: [hibernatenotifications/status]
  verbs: [patch]
# The state of plans, and waiting deliveries. hnotif deletes a journal without plans.
- apiGroups: [{{ .Values.apiGroup }}]
  resources: [hibernatenotificationjournals]
  verbs: [list, watch, get, create, patch, delete]
- apiGroups: ['']
  resources: [events]
  verbs: [create, patch]
# By name, never listed or watched.
- apiGroups: ['']
  resources: [secrets, configmaps]
  verbs: [get]
{{- end }}

{{/* The common part of the two monitors. The argument is a list: the root, and the values of the monitor. */}}
{{- define "hnotif.monitorEndpoint" -}}
{{- /* The label namespace of our metrics is that of a notification. */ -}}
{{- $endpoint := dict "port" "metrics" "path" "/metrics" "interval" (index . 1).interval "honorLabels" true }}
{{- list (mergeOverwrite $endpoint (default dict (index . 1).endpoint)) | toYaml }}
{{- end }}

{{- define "hnotif.monitorSelector" -}}
namespaceSelector:
  matchNames: [{{ quote .Release.Namespace }}]
selector:
  matchLabels:
    {{- include "hnotif.selectorLabels" . | nindent 4 }}
{{- end }}

{{/* Whether there is a journal policy: `true` or nothing. */}}
{{- define "hnotif.journalPolicy" -}}
{{- $served := .Capabilities.APIVersions.Has "admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy" -}}
{{- $auto := and $served (not .Values.watchNamespaces) -}}
{{- if eq (toString .Values.journalPolicy.create) "auto" }}{{ if $auto }}true{{ end }}{{ else if .Values.journalPolicy.create }}true{{ end -}}
{{- end }}
