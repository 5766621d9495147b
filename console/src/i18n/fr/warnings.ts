import type { warnings as english } from '../en/warnings.ts'
import type { Translation } from '../messages.ts'

/** The data warnings in French. */
export const warnings: Translation<typeof english> = {
  'warnings.tab': 'Avertissements',
  'warnings.label': 'Avertissements d’ingestion',
  'warnings.failed': 'Les avertissements n’ont pas pu être chargés',
  'warnings.none': 'Aucun avertissement',
  'warnings.noneText': 'Tout ce qui est arrivé sur cette période a été enregistré tel quel.',
  'warnings.noMatch': 'Aucun avertissement ne correspond aux filtres',
  'warnings.source': 'Source',
  'warnings.anySource': 'Toutes les sources',
  'warnings.effect': 'Ce qui s’est passé',
  'warnings.anyEffect': 'Tous les résultats',
  'warnings.dropped': 'Non enregistré',
  'warnings.changed': 'Modifié',
  'warnings.rejected': 'Refusé',
  'warnings.period': 'Période',
  'warnings.day': 'Dernières 24 heures',
  'warnings.week': '7 derniers jours',
  'warnings.reason': 'Raison',
  'warnings.sdk': 'SDK',
  'warnings.count': 'Nombre',
  'warnings.firstSeen': 'Vu la première fois',
  'warnings.lastSeen': 'Vu la dernière fois',
  'warnings.sample': 'Exemple',
  'warnings.sampleText':
    'Les valeurs sont décrites plutôt qu’affichées, car elles peuvent être personnelles.',
  'warnings.noSample': 'Il n’y a pas d’exemple pour cet avertissement.',
  'warnings.notAnObject.title': 'Pas un événement',
  'warnings.notAnObject.text':
    'Un élément d’un lot n’est pas un objet JSON : il n’est pas enregistré. Envoyez une liste d’objets.',
  'warnings.noName.title': 'Sans nom',
  'warnings.noName.text':
    'L’événement n’a pas de nom : il n’est pas enregistré. Indiquez le nom dans l’appel qui l’envoie.',
  'warnings.noId.title': 'Sans ID',
  'warnings.noId.text':
    'L’événement ne désigne ni une personne ni un appareil : il n’est pas enregistré. Indiquez le distinct ID, l’ID d’utilisateur ou l’ID d’appareil.',
  'warnings.invalidId.title': 'ID non valide',
  'warnings.invalidId.text':
    'L’ID dépasse 1 024 caractères, commence par cookieless- ou contient des caractères non valides. L’événement n’est pas enregistré. Envoyez un autre ID.',
  'warnings.otherKey.title': 'Autre clé',
  'warnings.otherKey.text':
    'L’événement a une autre clé que sa requête : il n’est pas enregistré. Envoyez les événements de chaque projet dans leurs propres requêtes.',
  'warnings.unknownVisitor.title': 'Visiteur inconnu',
  'warnings.unknownVisitor.text':
    'Un événement sans cookie nécessite un user agent et une adresse ; sans eux, il n’est pas enregistré. Faites transmettre les deux par les proxys.',
  'warnings.unknownType.title': 'Type inconnu',
  'warnings.unknownType.text':
    'Les messages de ce type ne sont pas enregistrés. Envoyez-les sous un autre type.',
  'warnings.groups.title': 'Groupes',
  'warnings.groups.text':
    'Les groupes n’ont pas d’équivalent : leurs modifications ne sont pas enregistrées. Envoyez ce dont vous avez besoin comme propriétés des événements.',
  'warnings.recordings.title': 'Enregistrements de session',
  'warnings.recordings.text':
    'Les enregistrements de session ne sont pas conservés. Désactivez-les dans le SDK pour réduire le trafic.',
  'warnings.engagement.title': 'Temps de lecture',
  'warnings.engagement.text':
    'Le temps de lecture d’une page n’est pas un événement et n’est pas enregistré. Rien n’est à changer.',
  'warnings.schema.title': 'Schéma non respecté',
  'warnings.schema.text':
    'Une propriété d’un événement typé manque ou a une valeur incorrecte : il n’est pas enregistré. Envoyez ce que demande le schéma.',
  'warnings.blocked.title': 'Événement bloqué',
  'warnings.blocked.text':
    'Le dictionnaire bloque cet événement : il n’est pas enregistré. Choisissez un autre état dans Événements pour l’enregistrer de nouveau.',
  'warnings.otherDay.title': 'Sans cookie, d’un autre jour',
  'warnings.otherDay.text':
    'Les événements sans cookie ne sont enregistrés que le jour où ils ont lieu. Envoyez-les à ce moment-là.',
  'warnings.salt.title': 'Pas de secret pour les visiteurs sans cookie',
  'warnings.salt.text':
    'Le secret du jour manque : les événements sans cookie ne sont pas enregistrés. Vérifiez le stockage d’état du service.',
  'warnings.textCut.title': 'Texte tronqué',
  'warnings.textCut.text':
    'Un texte dépassait 1 024 caractères et a été tronqué. Envoyez des textes plus courts.',
  'warnings.charactersReplaced.title': 'Caractères remplacés',
  'warnings.charactersReplaced.text':
    'Un texte contenait des caractères qui ne sont pas de l’Unicode valide. Coupez les textes entre les caractères, pas entre les octets.',
  'warnings.propertyLeftOut.title': 'Propriété omise',
  'warnings.propertyLeftOut.text':
    'Une propriété avait un nom ou une valeur trop long, ou l’événement avait plus de 256 propriétés. Envoyez-en moins.',
  'warnings.traitLeftOut.title': 'Propriété de personne omise',
  'warnings.traitLeftOut.text':
    'Une propriété d’une personne dépasse une limite, ou la personne n’est pas identifiée. Identifiez-la d’abord.',
  'warnings.operation.title': 'Opération non prise en charge',
  'warnings.operation.text':
    'Les modifications qui dépendent de la valeur précédente, comme incrémenter un nombre, ne sont pas faites. Envoyez la nouvelle valeur.',
  'warnings.timeReplaced.title': 'Heure remplacée',
  'warnings.timeReplaced.text':
    'L’heure de l’événement est illisible : il a celle de son arrivée. Envoyez les heures au format ISO 8601.',
  'warnings.clock.title': 'Horloge décalée',
  'warnings.clock.text':
    'L’horloge du client est décalée de plus d’une minute. Les événements sont enregistrés tels quels, avec $clock_skew_ms. Corrigez l’horloge des serveurs.',
  'warnings.invalidEvent.title': 'Événement non valide',
  'warnings.invalidEvent.text':
    'Un événement enfreint une règle : toute la requête a été refusée. Corrigez le champ ci-dessous.',
  'warnings.unreadable.title': 'Requête illisible',
  'warnings.unreadable.text':
    'La requête n’a pas pu être lue et a été refusée. Envoyez du JSON valide au format du SDK.',
  'warnings.tooLarge.title': 'Requête trop volumineuse',
  'warnings.tooLarge.text':
    'La requête dépasse ce que le service accepte et a été refusée. Envoyez des lots plus petits.',
  'warnings.compression.title': 'Compression inconnue',
  'warnings.compression.text':
    'La requête a été refusée. Compressez les requêtes avec gzip, br ou zstd, ou pas du tout.',
  'warnings.keyExpired.title': 'Clé expirée',
  'warnings.keyExpired.text':
    'La clé des requêtes a expiré : elles ont été refusées. Déployez une clé plus récente.',
  'warnings.otherAddress.title': 'Adresse non autorisée',
  'warnings.otherAddress.text':
    'La clé ne fonctionne que depuis les adresses de sa liste, et les requêtes venaient d’ailleurs. Ajoutez les adresses, ou révoquez la clé si quelqu’un d’autre la possède.',
  'warnings.rate.title': 'Limite de débit',
  'warnings.rate.text':
    'La clé a envoyé plus d’événements que permis : des requêtes ont été refusées. Envoyez-en moins ou relevez la limite. Un SDK qui renvoie ne perd rien.',
  'warnings.unavailable.title': 'Service indisponible',
  'warnings.unavailable.text':
    'Le service n’a pas pu prendre des requêtes à temps. Vérifiez son état. Un SDK qui renvoie ne perd rien.',
  'warnings.other.title': 'Autre raison',
  'warnings.other.text':
    'Cette page ne connaît pas la raison. Rechargez-la après une mise à niveau du service.',
}
