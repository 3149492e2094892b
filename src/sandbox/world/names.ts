/** Names of people as in a modern factory: in many scripts, including some that terminals and spreadsheets handle badly. */
type Names = { readonly given: readonly [string, ...string[]]; readonly family: readonly [string, ...string[]] };

export const nameGroups: readonly [Names, ...Names[]] = [
  {
    given: ['Anna', 'Ben', 'Clara', 'David', 'Emma', 'Felix', 'Greta', 'Hugo', 'Ida', 'Jonas', 'Lena', 'Max', 'Nora'],
    family: ['Becker', 'Fischer', 'Hoffmann', 'Klein', 'Müller', 'Richter', 'Schäfer', 'Voß', 'Wagner', 'Zimmermann'],
  },
  {
    given: ['Aoife', 'Charlotte', 'Declan', 'Grace', 'Harry', 'Imogen', 'Liam', 'Niamh', 'Oliver', 'Siân', 'Thomas'],
    family: ["D'Arcy", 'Hughes', 'MacLeod', "O'Brien", "O'Neill", 'Patel', 'Smith', 'Smythe-Jones', 'Taylor', 'Ward'],
  },
  {
    given: ['Álvaro', 'Beatriz', 'Chloé', 'Élodie', 'Giulia', 'Íñigo', 'João', 'Lucía', 'Matteo', 'Noël', 'Sofía'],
    family: ['da Silva', 'de la Cruz', "Dell'Acqua", 'Ferreira', 'García', 'Lefèvre', 'Núñez', 'Rossi', 'São João'],
  },
  {
    given: [
      'Łukasz',
      'Žofie',
      'Agnieszka',
      'Dušan',
      'Ágnes',
      'Őrs',
      'Ştefan',
      'Çağla',
      'İlker',
      'Åsa',
      'Øyvind',
      'Þóra',
    ],
    family: ['Dvořák', 'Jóhannsdóttir', 'Kovács', 'Łuczak', 'Nowak', 'Østergård', 'Popescu', 'Şahin', 'Yılmaz'],
  },
  {
    given: ['Анна', 'Богдан', 'Дмитро', 'Елена', 'Иван', 'Наталія', 'Ольга', 'Сергей', 'Юлия'],
    family: ['Ангелова', 'Гончар', 'Ковальчук', 'Павлов', 'Петренко', 'Соколов', 'Шевченко'],
  },
  {
    given: ['伟', '芳', '秀英', '娜', '静', '强', '美玲', '建国'],
    family: ['王', '李', '张', '刘', '陈', '欧阳', '林', '黃'],
  },
  {
    given: ['さくら', '大輔', '美咲', '健太', 'ユキ', '翔', '陽子'],
    family: ['佐藤', '鈴木', '高橋', '田中', '渡辺', '小林'],
  },
  {
    given: ['민준', '서연', '지우', '하준', '은지'],
    family: ['김', '이', '박', '최', '정'],
  },
  {
    given: ['أحمد', 'فاطمة', 'يوسف', 'ليلى', 'عمر'],
    family: ['الحسن', 'النجار', 'حداد', 'منصور'],
  },
  {
    given: ['नेहा', 'राहुल', 'प्रिया', 'अर्जुन', 'दीपा'],
    family: ['शर्मा', 'वर्मा', 'सिंह', 'गुप्ता'],
  },
  {
    given: ['สมชาย', 'มาลี', 'อรุณ', 'Nguyễn', 'Thị Hồng', 'Văn Đức'],
    family: ['ใจดี', 'ศรีสุข', 'Trần', 'Lê', 'Phạm'],
  },
];

/** How often each group is drawn, relative to the others. */
export const groupWeights = [6, 5, 4, 3, 2, 2, 2, 1, 1, 1, 1] as const;

/** So many groups at the beginning are written in Latin letters. */
export const latinGroups = 4;

/** The first users after the accounts, whom examples refer to. */
export const firstNames = ["Miles O'Shea", 'Zoë Kühn'] as const;

/** The number of the first user with an odd name: the first page of a list is an ordinary plant. */
export const firstOdd = 60;

/** Names that are hard to show, to type or to store. */
export const oddNames = [
  'Zoë 🛠️ Kühn',
  'Red \u001b[31mAlert\u001b[0m',
  'Bidi \u202egnp.tfihs',
  'Tab\tand\nLine',
  'Ame\u0301lie Decomposed',
  '=HYPERLINK("//example","Sum")',
  '<b onclick="alert(1)">Bold</b> & "Sons"',
  'משה כהן',
  '山田 花子',
  '  Spaces Around  ',
  'Al',
  'Maximiliane Theodora Freifrau von und zu Oberunterschleißheim-Wolkenkuckucksheim auf der Höhe',
] as const;
