{{/*
Refuses a text, or a text of a list, that does not match its pattern. values.schema.json cannot do this: Helm would show the pattern, but
not what to write. Values are not shown: the address of a proxy may have a password.
The argument is a list: the field, its value, the pattern, the text that says what to write.
*/}}
{{- define "hnotif.form" -}}
{{- $field := index . 0 -}}
{{- $value := index . 1 -}}
{{- $pattern := printf "^(?:%s)$" (index . 2) -}}
{{- $give := index . 3 -}}
{{- if kindIs "slice" $value -}}
{{- range $at, $entry := $value -}}
{{- if not (regexMatch $pattern $entry) }}{{ fail (printf "%s[%d]: %s" $field $at $give) }}{{ end -}}
{{- end -}}
{{- else if not (regexMatch $pattern ($value | default "")) }}{{ fail (printf "%s: %s" $field $give) }}
{{- end -}}
{{- end }}

{{/* Checks all texts that have a pattern. */}}
{{- define "hnotif.checkForms" -}}
{{- $label := "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?" -}}
{{- $name := printf "%s(\\.%s)*" $label $label -}}
{{- $group := printf "%s(\\.%s)+" $label $label -}}
{{- $giveName := "give a name of lower case letters, digits, - and ." -}}
{{- $byte := "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])" -}}
{{- $ipv4 := "B\\.0\\.0\\.0/[0-8]|B\\.B\\.0\\.0/(9|1[0-6])|B\\.B\\.B\\.0/(1[7-9]|2[0-4])|B\\.B\\.B\\.B/(2[5-9]|3[0-2])" | replace "B" $byte -}}
{{- $network := printf "%s|[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*/(12[0-8]|1[01][0-9]|[1-9]?[0-9])" $ipv4 -}}
{{- $giveNetwork := "give a network by its first address and length, such as 10.0.0.0/8 or fd00::/8; a single address ends with /32 or /128" -}}
{{- $time := "[0-9]+(ms|s|m|h)" -}}
{{- with .Values -}}
{{- include "hnotif.form" (list "fullnameOverride" .fullnameOverride (printf "(%s)?" $name) $giveName) -}}
{{- if .service.create -}}
{{- include "hnotif.form" (list "fullnameOverride" (include "hnotif.fullname" $) "[a-z]([-a-z0-9]*[a-z0-9])?" "give a name of lower case letters, digits and -, with a letter first, for the Service") -}}
{{- end -}}
{{- include "hnotif.form" (list "image.digest" .image.digest "(sha256:[0-9a-f]{64})?" "give sha256: and 64 hexadecimal digits, or leave it empty") -}}
{{- include "hnotif.form" (list "instance" .instance $name $giveName) -}}
{{- include "hnotif.form" (list "apiGroup" .apiGroup $group "give a DNS name with a dot, such as hibernation.dev") -}}
{{- include "hnotif.form" (list "planResource" .planResource (printf "(%s\\.v[0-9]+((alpha|beta)[0-9]+)?\\.%s)?" $label $group) "give PLURAL.VERSION.GROUP, such as hibernateplans.v1alpha1.hibernation.dev") -}}
{{- include "hnotif.form" (list "clusterName" .clusterName "([A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?)?" "give at most 63 letters, digits, -, _ and ., with a letter or digit first and last") -}}
{{- include "hnotif.form" (list "watchNamespaces" .watchNamespaces $label "give the name of a namespace, such as payments") -}}
{{- $connectors := splitList "," (.crossNamespaceConnectors | default "") -}}
{{- $giveConnectors := "give all, none, or namespaces separated by commas, such as platform,shared" -}}
{{- include "hnotif.form" (list "crossNamespaceConnectors" (join "," $connectors) (printf "%s(,%s)*" $label $label) $giveConnectors) -}}
{{- if and (gt (len $connectors) 1) (or (has "all" $connectors) (has "none" $connectors)) }}{{ fail (printf "crossNamespaceConnectors: %s" $giveConnectors) }}{{ end -}}
{{- include "hnotif.form" (list "egress.allow" .egress.allow $network $giveNetwork) -}}
{{- include "hnotif.form" (list "egress.deny" .egress.deny $network $giveNetwork) -}}
{{- include "hnotif.form" (list "extraCA.configMap" .extraCA.configMap (printf "(%s)?" $name) $giveName) -}}
{{- include "hnotif.form" (list "extraCA.secret" .extraCA.secret (printf "(%s)?" $name) $giveName) -}}
{{- include "hnotif.form" (list "extraCA.key" .extraCA.key "[A-Za-z0-9._-]+" "give the key of a config map or secret, such as ca.crt") -}}
{{- include "hnotif.form" (list "proxy.https" .proxy.https "(https?://.+)?" "give an address such as http://proxy.example.com:3128, or leave it empty") -}}
{{- include "hnotif.form" (list "extraArgs" .extraArgs "(?s)--[a-z].*" "give a flag of hnotif run with its value in one text, such as --max-age=12h") -}}
{{- include "hnotif.form" (list "serviceAccount.name" .serviceAccount.name (printf "(%s)?" $name) $giveName) -}}
{{- include "hnotif.form" (list "priorityClassName" .priorityClassName (printf "(%s)?" $name) $giveName) -}}
{{- if kindIs "string" .podDisruptionBudget.maxUnavailable -}}
{{- include "hnotif.form" (list "podDisruptionBudget.maxUnavailable" .podDisruptionBudget.maxUnavailable "[0-9]+%" "give a number or a percentage, such as 1 or 50%") -}}
{{- end -}}
{{- include "hnotif.form" (list "networkPolicy.apiServer.cidrs" .networkPolicy.apiServer.cidrs $network $giveNetwork) -}}
{{- include "hnotif.form" (list "serviceMonitor.interval" .serviceMonitor.interval $time "give a time such as 30s or 1m") -}}
{{- include "hnotif.form" (list "podMonitor.interval" .podMonitor.interval $time "give a time such as 30s or 1m") -}}
{{- end -}}
{{- end }}
